/** Runs commands: in this process on a host in memory, or as a process of its own on the real one. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Invocation } from '../../src/commands.js';
import type { Options } from '../../src/config.js';
import type { Console } from '../../src/console.js';
import type { Host } from '../../src/host.js';
import { repository } from './paths.js';

export interface Recording extends Console {
  /** What was printed on standard output and standard error, with its line breaks. */
  stdout: string;
  stderr: string;
  /** Every state of the line of progress. */
  readonly lines: string[];
}

export function recording(isTerminal = false): Recording {
  let clock = 0;
  const record: Recording = {
    stdout: '',
    stderr: '',
    lines: [],
    isTerminal,
    color: false,
    print: (text) => {
      record.stdout += `${text}\n`;
    },
    complain: (text) => {
      record.stderr += `${text}\n`;
    },
    progress: (line) => void record.lines.push(line),
    // Each look at the clock is five milliseconds after the last one.
    now: () => {
      clock += 5;
      return clock;
    },
  };
  return record;
}

export interface Ran {
  readonly exit: number;
  readonly out: Recording;
}

/** Runs a command of `commands.ts` as `cli.ts` would. */
export async function runCommand(
  command: (given: Invocation) => Promise<number>,
  host: Host,
  options: Options,
  more: Partial<Pick<Invocation, 'config' | 'quiet' | 'report'>> & { readonly terminal?: boolean } = {},
): Promise<Ran> {
  const { terminal = false, config, quiet = false, report = terminal ? 'text' : 'none' } = more;
  const out = recording(terminal);
  return { exit: await command({ options, config, report, quiet, host, out }), out };
}

export interface Spawned {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const commandLine: string = join(repository, 'dist/cli.js');

/** `oasmith …` as a process whose streams are pipes. */
export function oasmith(cwd: string, parameters: readonly string[], input = ''): Promise<Spawned> {
  return new Promise((settle, fail) => {
    const child = spawn(process.execPath, [commandLine, ...parameters], { cwd });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on('error', fail);
    child.on('close', (exit) => settle({ exit, stdout, stderr }));
    child.stdin.end(input);
  });
}
