/** A child process in a process group of its own, with a time limit after which the whole group is killed. */
import { spawn } from 'node:child_process';

export interface ChildResult {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  readonly timedOut: boolean;
}

export interface ChildOptions {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly limitMs: number;
}

export function runNode(args: readonly string[], { cwd, environment, limitMs }: ChildOptions): Promise<ChildResult> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ...environment },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    let timedOut = false;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup(child.pid);
    }, limitMs);
    child.on('error', reject);
    child.on('close', (exit) => {
      clearTimeout(timer);
      resolve({ exit, stdout, stderr, ms: performance.now() - begun, timedOut });
    });
  });
}

/** Kills a process that was started with `detached`, and all that it started. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // it has ended already
  }
}
