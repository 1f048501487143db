#!/usr/bin/env node
/** The command line: the only place that prints, reads the clock and ends the process. Exit codes: 0 fine, 1 the user's fault, 2 wrong usage, 70 our bug. */
import yargs, { type Argv } from 'yargs';
import { hideBin } from 'yargs/helpers';
import { runCheck, runGenerate, runIr, runValidate, runWatch } from './commands.js';
import { frameworkNames, importExtensions, type Options, targetNames } from './config.js';
import type { Console } from './console.js';
import { nodeHost, packageVersion } from './node-host.js';

const exitUsage = 2;
const exitBug = 70;

const out: Console = {
  isTerminal: process.stdout.isTTY === true,
  color: process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined,
  print: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
  now: () => performance.now(),
};

/** The flags that every command shares, and how they become options. */
function common(command: Argv): Argv {
  return command
    .option('config', { type: 'string', describe: 'configuration file', requiresArg: true })
    .option('ref-root', { type: 'string', describe: 'the folder that references must not leave', requiresArg: true })
    .option('allow-remote', {
      type: 'string',
      array: true,
      describe: 'an origin that references may lead to',
      requiresArg: true,
    })
    .option('ref-siblings', {
      choices: ['honour', 'ignore'] as const,
      describe: 'what stands beside $ref in OpenAPI 3.0',
      requiresArg: true,
    })
    .option('report', {
      choices: ['text', 'json', 'none'] as const,
      describe: 'what is said of the run; text on a terminal, none when piped',
      requiresArg: true,
    })
    .option('quiet', { type: 'boolean', describe: 'print errors only' });
}

function output(command: Argv): Argv {
  return common(command)
    .option('output', {
      alias: 'o',
      type: 'string',
      describe: 'the folder that is generated and managed',
      requiresArg: true,
    })
    .option('targets', {
      type: 'string',
      array: true,
      choices: targetNames,
      describe: 'what is generated',
      requiresArg: true,
    })
    .option('framework', {
      type: 'string',
      array: true,
      choices: frameworkNames,
      describe: 'server adapters to write',
      requiresArg: true,
    })
    .option('import-extension', {
      choices: importExtensions,
      describe: 'ending of relative imports',
      requiresArg: true,
    })
    .option('assert-formats', { type: 'boolean', describe: 'check "format" in validators' })
    .option('scaffold', { type: 'string', describe: 'a folder for handler skeletons of your own', requiresArg: true });
}

type Flags = Readonly<Record<string, unknown>>;

const optionFlags = [
  'output',
  'targets',
  'framework',
  'importExtension',
  'refRoot',
  'allowRemote',
  'refSiblings',
  'assertFormats',
  'scaffold',
] as const;

function flagOptions(flags: Flags): Options {
  const given = optionFlags.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]] as const]));
  const entries = flags['entry'];
  const input = Array.isArray(entries) && entries.length > 0 ? [['input', entries.map(String)] as const] : [];
  return Object.fromEntries([...given, ...input]);
}

function invocation(flags: Flags): Parameters<typeof runGenerate>[0] {
  const { config, report, quiet } = flags;
  return {
    options: flagOptions(flags),
    config: typeof config === 'string' ? config : undefined,
    report: report === 'text' || report === 'json' || report === 'none' ? report : out.isTerminal ? 'text' : 'none',
    quiet: quiet === true,
    host: nodeHost(process.cwd()),
    out,
  };
}

const entry = '[entry..]';

async function main(): Promise<void> {
  let exitCode = 0;
  const run =
    (command: (given: Parameters<typeof runGenerate>[0], flags: Flags) => Promise<number>) =>
    async (flags: Flags): Promise<void> => {
      exitCode = await command(invocation(flags), flags);
    };
  const generate = run((given, flags) => (flags['watch'] === true ? runWatch(given) : runGenerate(given)));
  const withWatch = (command: Argv): Argv =>
    output(command).option('watch', { type: 'boolean', describe: 'keep the output up to date' });
  const parser = yargs(hideBin(process.argv))
    .scriptName('oasmith')
    .usage('$0 <entry..> -o <folder>\n\nOpenAPI and JSON Schema in; types, client, server and validators out.')
    .command([`generate ${entry}`, '$0'], 'generate code (the command may be left out)', withWatch, generate)
    .command(
      `watch ${entry}`,
      'generate, and again whenever a file of the reference graph changes',
      output,
      run(runWatch),
    )
    .command(
      `check ${entry}`,
      'exit 1 with a diff where the folder is not what would be generated',
      output,
      run(runCheck),
    )
    .command(`validate ${entry}`, 'report every fault of the documents', common, run(runValidate))
    .command(`ir ${entry}`, 'print the intermediate representation as JSON', common, run(runIr))
    .version(await packageVersion())
    .strict()
    .recommendCommands()
    .wrap(Math.min(100, process.stdout.columns ?? 100))
    .fail((message, error) => {
      throw error ?? new UsageError(message);
    });
  try {
    await parser.parseAsync();
  } catch (error) {
    exitCode = complain(error);
  }
  process.exitCode = exitCode;
}

class UsageError extends Error {}

/** Says what went wrong. A bug of ours shows its stack without its message: that may hold document text. */
function complain(error: unknown): number {
  if (error instanceof UsageError || (error instanceof Error && error.name === 'YError')) {
    out.complain(`oasmith: ${error.message}\nRun oasmith --help for the commands and options.`);
    return exitUsage;
  }
  const stack =
    error instanceof Error
      ? (error.stack ?? '')
          .split('\n')
          .filter((line) => /^\s+at /.test(line))
          .slice(0, 12)
      : [];
  const name = error instanceof Error ? error.name : typeof error;
  out.complain(
    [`oasmith: this is a bug of oasmith (${name}), please report it with the lines below:`, ...stack].join('\n'),
  );
  return exitBug;
}

await main();
