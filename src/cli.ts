#!/usr/bin/env node
import { resolve } from 'node:path';
import yargs, { type Argv } from 'yargs';
import { hideBin } from 'yargs/helpers';
import type { Invocation } from './commands.js';
import { choices, defaultTargets, frameworkNames, importExtensions, targetNames } from './config.js';
import type { Console } from './console.js';
import { argument, type Flags, flagOptions, refuseTwice, standardInput } from './flags.js';
import { nodeHost, packageVersion } from './node-host.js';
/** The command line: the only place that prints, reads the clock and ends the process. Exit codes: 0 fine, 1 the user's fault, 2 wrong usage, 70 our bug. */
import { longRun } from './short-run.js';
import { knownWord, refuseSwitchWords, UsageError, unknownCommand, usageFaults, wantsJson } from './usage.js';

const exitFault = 1;
const exitUsage = 2;
const exitBug = 70;

const bothTerminals = process.stdout.isTTY === true && process.stderr.isTTY === true;
let progressShown = false;

const out: Console = {
  isTerminal: process.stdout.isTTY === true,
  color: bothTerminals && !process.env['NO_COLOR'],
  print: (text) => write(process.stdout, `${text}\n`),
  complain: (text) => write(process.stderr, `${text}\n`),
  progress: showProgress,
  now: () => performance.now(),
};

function write(stream: NodeJS.WriteStream, text: string): void {
  showProgress('');
  stream.write(text);
}

/** The line is on standard error, so that it never gets among what is printed. */
function showProgress(line: string): void {
  if (!bothTerminals || (line === '' && !progressShown)) return;
  progressShown = line !== '';
  const width = Math.max(20, (process.stderr.columns ?? 80) - 1);
  process.stderr.write(`\r\u001b[2K${line.length > width ? `${line.slice(0, width - 1)}…` : line}`);
}

/** Whoever reads our output may stop reading (`oasmith ir … | head`): that is no fault. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? process.exitCode : exitFault);
  });
}

const reports = ['text', 'json', 'none'] as const;
const formats = ['ir', 'decls'] as const;

const reportOption = {
  type: 'string',
  describe: `what standard output says of the run: ${reports.join(', ')} (text on a terminal, none when piped)`,
  requiresArg: true,
} as const;

function explaining(command: Argv): Argv {
  return command
    .positional('code', { type: 'string', array: true, describe: 'the code of a diagnostic' })
    .option('report', reportOption);
}

/** The words that an option takes, the default first. */
function either(option: keyof typeof choices): string {
  const [first, ...others] = choices[option];
  return [`${first} (default)`, ...others].join(' or ');
}

/** The flags that every command shares, and how they become options. */
function common(command: Argv): Argv {
  return command
    .positional('entry', { type: 'string', array: true, describe: 'file, pattern, URL, or - for standard input' })
    .option('config', { type: 'string', describe: 'configuration file', requiresArg: true })
    .option('ref-root', { type: 'string', describe: 'the folder that references must not leave', requiresArg: true })
    .option('allow-remote', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'an origin that references may lead to; may be given again',
    })
    .option('overlay', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'an overlay to apply to the documents; may be given again',
    })
    .option('include', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'only this: tag:NAME, operation:ID, path:PATH, schema:NAME (with *), deprecated; may be given again',
    })
    .option('exclude', { type: 'string', array: true, nargs: 1, describe: 'not this; in the same form' })
    .option('drop-unreachable', { type: 'boolean', describe: 'leave out schemas that nothing refers to' })
    .option('ref-siblings', {
      type: 'string',
      describe: 'what stands beside $ref in OpenAPI 3.0: honour (default) or ignore',
      requiresArg: true,
    })
    .option('keep-going', { type: 'boolean', describe: 'leave out what a fault concerns, and go on with the rest' })
    .option('report', reportOption)
    .option('quiet', { type: 'boolean', describe: 'print errors only (validate: and warnings)' });
}

function outputFolder(command: Argv): Argv {
  return common(command).option('output', {
    alias: 'o',
    type: 'string',
    describe: 'the folder that is generated and managed',
    requiresArg: true,
  });
}

function derivation(command: Argv): Argv {
  return outputFolder(command)
    .option('base-uri', {
      type: 'string',
      describe: 'what $id is made of; {name} and {kebab-name} are replaced',
      requiresArg: true,
    })
    .option('date', { type: 'string', describe: 'the date that the schemas name: YYYY-MM-DD', requiresArg: true })
    .option('declarations', { type: 'boolean', describe: 'write declaration files (.d.ts) beside the schemas' })
    .option('check', { type: 'boolean', describe: 'exit 1 with a diff where the folder is not what would be written' });
}

function representation(command: Argv): Argv {
  return common(command).option('format', {
    type: 'string',
    describe: 'everything that is known (ir), or declarations as a reference page shows them (decls)',
    requiresArg: true,
  });
}

/** What the validators of the output check, and how they say it. */
function validation(command: Argv): Argv {
  return command
    .option('assert-formats', { type: 'boolean', describe: 'check "format" in validators' })
    .option('assert-content', { type: 'boolean', describe: 'check what texts hold (contentEncoding and the like)' })
    .option('standard-json-schema', { type: 'boolean', describe: 'validators say what they check as JSON Schema, too' })
    .option('issue-limit', {
      type: 'number',
      describe: 'how many issues validators collect (20)',
      requiresArg: true,
    });
}

/** What values and bodies are in the types of the output. */
function typing(command: Argv): Argv {
  return command
    .option('enums', {
      type: 'string',
      describe: `named enumerations as unions or constants: ${either('enums')}`,
      requiresArg: true,
    })
    .option('client-enums', {
      type: 'string',
      describe: `whether enumerations in answers admit other values: ${either('clientEnums')}`,
      requiresArg: true,
    })
    .option('dates', {
      type: 'string',
      describe: `what dates and times are in types: ${either('dates')}`,
      requiresArg: true,
    })
    .option('xml', {
      type: 'string',
      describe: `what bodies of XML are for callers: text, or values by a codec: ${either('xml')}`,
      requiresArg: true,
    });
}

function output(command: Argv): Argv {
  return typing(validation(outputFolder(command)))
    .option('targets', {
      type: 'string',
      array: true,
      describe: `what is generated: ${targetNames.join(', ')} (${defaultTargets.join(', ')})`,
      requiresArg: true,
    })
    .option('framework', {
      type: 'string',
      array: true,
      describe: `server adapters to write: ${frameworkNames.join(', ')} (none)`,
      requiresArg: true,
    })
    .option('import-extension', {
      type: 'string',
      describe: `ending of relative imports: ${importExtensions.join(', ')} (by tsconfig.json)`,
      requiresArg: true,
    })
    .option('layout', {
      type: 'string',
      describe: `one file for all operations, or files by tag: ${either('layout')}`,
      requiresArg: true,
    })
    .option('runtime', {
      type: 'string',
      describe: `what the code needs beside it: copied, or imported from this package: ${either('runtime')}`,
      requiresArg: true,
    })
    .option('package', {
      type: 'string',
      describe: 'make the output a package of this name that can be published',
      requiresArg: true,
    })
    .option('query-package', {
      type: 'string',
      describe: 'whose types the target tanstack-query imports (@tanstack/react-query)',
      requiresArg: true,
    })
    .option('scaffold', { type: 'string', describe: 'a folder for handler skeletons of your own', requiresArg: true });
}

function invocation(flags: Flags): Invocation {
  refuseTwice(flags);
  const { config, report, quiet } = flags;
  return {
    options: flagOptions(flags),
    config: typeof config === 'string' ? config : undefined,
    report: reportOf(report),
    quiet: quiet === true,
    host: nodeHost(process.cwd()),
    out,
  };
}

function reportOf(given: unknown): Invocation['report'] {
  if (given !== undefined) return knownWord('report', String(given), reports);
  return out.isTerminal ? 'text' : 'none';
}

const entry = '[entry..]';

type Commands = typeof import('./commands.js');

type Command = (commands: Commands, given: Invocation, flags: Flags) => Promise<number>;

/** Every command with its flags; `run` calls what it does. */
function withCommands(parser: Argv, run: (command: Command) => (flags: Flags) => Promise<void>): Argv {
  const watch: Command = ({ runWatch }, given) => {
    longRun();
    return runWatch(given, signalled());
  };
  const generate: Command = (commands, given, flags) =>
    flags['watch'] === true ? watch(commands, given, flags) : commands.runGenerate(given);
  const withWatch = (command: Argv): Argv =>
    output(command).option('watch', { type: 'boolean', describe: 'keep the output up to date' });
  return parser
    .command([`generate ${entry}`, '$0'], 'generate code (the command may be left out)', withWatch, run(generate))
    .command(`watch ${entry}`, 'generate, and again whenever a file of the reference graph changes', output, run(watch))
    .command(
      `check ${entry}`,
      'exit 1 with a diff where the folder is not what would be generated',
      output,
      run(({ runCheck }, given) => runCheck(given)),
    )
    .command(
      `derive ${entry}`,
      'write every named schema as a stand-alone JSON Schema, into schemas/ or -o',
      derivation,
      run(({ runDerive }, given, { check }) => runDerive(given, check === true)),
    )
    .command(
      `validate ${entry}`,
      'report every fault of the documents',
      common,
      run(({ runValidate }, given) => runValidate(given)),
    )
    .command(
      `ir ${entry}`,
      'print the intermediate representation, or the declaration graph, as JSON',
      representation,
      run(({ runIr }, given, { format }) => runIr(given, knownWord('format', String(format ?? 'ir'), formats))),
    );
}

async function explain({ code, report }: Flags): Promise<number> {
  const { runExplain } = await import('./explain.js');
  return runExplain(Array.isArray(code) ? code.map(argument) : [], { out, report: reportOf(report) });
}

async function main(): Promise<void> {
  let exitCode = 0;
  const run =
    (command: Command) =>
    async (flags: Flags): Promise<void> => {
      const given = invocation(flags);
      await refuseCommand(given, flags);
      exitCode = await command(await import('./commands.js'), given, flags);
    };
  const parser = withCommands(
    yargs(commandLine().map((word) => (word === '-' ? standardInput : word)))
      .scriptName('oasmith')
      .usage('$0 <entry..> -o <folder>\n\nOpenAPI and JSON Schema in; types, client, server and validators out.'),
    run,
  )
    .command(
      'explain [code..]',
      'say what the code of a diagnostic means and how to mend it; without one, list all codes',
      explaining,
      async (flags: Flags) => {
        exitCode = await explain(flags);
      },
    )
    .version(await packageVersion())
    // As all that we say ourselves is.
    .locale('en')
    .strict()
    .recommendCommands()
    .wrap(Math.min(100, process.stdout.columns ?? 100))
    .fail((message, error) => {
      throw error && error.name !== 'YError' ? error : new UsageError(...usageFaults(message, commandLine()));
    });
  try {
    refuseSwitchWords(commandLine());
    await parser.parseAsync();
  } catch (error) {
    exitCode = await complain(error);
  }
  process.exitCode = exitCode;
}

/** `generate` may be left out, and is here: yargs lays the whole help out for each command that is named. */
function commandLine(): readonly string[] {
  const words = hideBin(process.argv);
  return words[0] === 'generate' && !words.includes('--help') ? words.slice(1) : words;
}

/** A word that is no command would be taken for a file that is not there. */
async function refuseCommand({ options: { input }, host }: Invocation, { _: named }: Flags): Promise<void> {
  if ((Array.isArray(named) && named.length > 0) || hideBin(process.argv)[0] === 'generate') return;
  const [first = '-'] = Array.isArray(input) ? input : [input];
  const fault = unknownCommand(first);
  if (fault !== undefined && (await host.kindOf(resolve(host.cwd, first))) === 'missing') throw new UsageError(fault);
}

function signalled(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop());
  });
}

async function complain(error: unknown): Promise<number> {
  const { bugReport, refuse } = await import('./report.js');
  if (error instanceof UsageError) {
    await refuse(error.faults, { out, report: wantsJson(commandLine()) ? 'json' : 'text', quiet: false });
    return exitUsage;
  }
  out.complain(bugReport(error));
  return exitBug;
}

await main();
