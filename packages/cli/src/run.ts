import { parseArgs } from 'node:util';
import {
  ApiError,
  ConnectionError,
  Plataforma,
  type RequestReport,
  UnknownOutcomeError,
} from '@plataforma/sdk';
import { createTransport } from '@plataforma/sdk/transport';
import { apiAddress, requireApi } from './addresses.ts';
import { commandIn } from './commands/commands.ts';
import { candidatesFor } from './commands/complete.ts';
import type { Command, Connection, Context, OptionOf, Values } from './context.ts';
import { helpOf } from './help.ts';
import { everywhere, takesValue } from './options.ts';
import { inLine } from './output/safely.ts';
import { isFromEnvironment, readProfile } from './profiles.ts';
import { createTerminal, type Terminal } from './terminal.ts';
import { isFileError } from './text-file.ts';
import { VERSION } from './version.ts';
import { type Words, wordsFor } from './words/words.ts';
import { NotWritten, Stopped, WrongUse } from './wrong-use.ts';

/**
 * Runs a command line and returns the exit code: 0 for success, 1 for an API error, 2 for wrong use. Returns
 * 3 if the API did not answer, and 130 or 143 after a signal.
 */
export async function run(args: readonly string[], signal: AbortSignal): Promise<number> {
  const terminal = createTerminal();
  if (args[0] === 'complete') {
    for (const word of candidatesFor(args.slice(args[1] === '--' ? 2 : 1))) terminal.print(word);
    return 0;
  }
  const words = wordsFor(languageIn(args), process.env);
  if (!words) {
    terminal.info('--lang pt|en');
    return 2;
  }
  try {
    return await runLine(args, { words, terminal, signal });
  } catch (error) {
    if (!signal.aborted) return report(error, words, terminal);
    // Report that the interrupted request has an unknown outcome, because the API may have made the change.
    if (error instanceof UnknownOutcomeError) report(error, words, terminal);
    return signal.reason instanceof Stopped ? signal.reason.exitCode : 1;
  }
}

export function outputFailed(error: NodeJS.ErrnoException, args: readonly string[]): number {
  return reportFile(error, wordsFor(languageIn(args), process.env), createTerminal());
}

type Surroundings = Pick<Context, 'words' | 'terminal' | 'signal'>;

async function runLine(args: readonly string[], { words, terminal, signal }: Surroundings): Promise<number> {
  const begin = args.findIndex((arg, at) => !arg.startsWith('-') && !takesValue(args[at - 1]));
  const [named, options] = begin < 0 ? [[], args] : [args.slice(begin), args.slice(0, begin)];
  const found = commandIn(named);
  const { values, positionals } = parsed([...options, ...(found?.rest ?? named)], found?.command);
  const { profile = 'default', lang: _lang, json, live, help, version, ...own } = values;
  if (version) terminal.print(VERSION);
  else if (help || args.length === 0) terminal.print(helpOf(words, found?.name));
  else if (!found) throw new WrongUse(words.noSuchCommand(named.join(' ')));
  else {
    const flags = { isJson: json === true, isLive: live === true, profile: String(profile) };
    const surroundings = { words, terminal, signal, ...flags, values: own, operands: positionals };
    const context = contextOf(surroundings);
    await found.command.run(context).catch(async (error) => {
      if (signal.aborted && found.command.isEndless) return;
      const { baseUrl } = readProfile(context.profile);
      if (!signal.aborted && baseUrl && isStrange(error)) await requireApi(apiAddress(baseUrl, words), words);
      throw error;
    });
  }
  return typeof process.exitCode === 'number' ? process.exitCode : 0;
}

/**
 * Returns true if the error suggests that the dashboard answered instead of the API: a body that is not JSON,
 * or the code FORBIDDEN.
 */
function isStrange(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 'FORBIDDEN';
  const isUnconfirmed = error instanceof UnknownOutcomeError;
  return error instanceof ConnectionError && !isUnconfirmed && error.cause instanceof SyntaxError;
}

/**
 * Parses a command line. If the command takes fields, it accepts every unknown option, because the option may
 * be a field of the API.
 */
function parsed(args: string[], command: Command | undefined): { values: Values; positionals: string[] } {
  const options: Record<string, OptionOf> = { ...command?.options, ...everywhere };
  if (command?.takesFields) {
    const names = args.flatMap((arg) => /^--([A-Za-z][\w.-]*)/.exec(arg)?.[1] ?? []);
    for (const name of names) options[name] ??= { type: 'string' };
  }
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return {
      values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plain(value)])),
      positionals,
    };
  } catch (error) {
    throw new WrongUse(error instanceof Error ? error.message : String(error));
  }
}

function plain(value: string | boolean | (string | boolean)[] | undefined) {
  return Array.isArray(value) ? value.map(String) : value;
}

function contextOf(given: Omit<Context, 'connect' | 'requireConsent'>): Context {
  const { words, terminal, profile, isLive } = given;
  let connection: Connection | undefined;
  const connect = () => {
    connection ??= connectAs({ profile, isLive, words, terminal });
    return connection;
  };
  return {
    ...given,
    connect,
    async requireConsent(action) {
      if (!isLive) return;
      const question = words.consent(action, connect().baseUrl);
      const answer = (await terminal.ask(question)).trim().toLowerCase();
      if (!words.yes.includes(answer)) throw new WrongUse(words.notDone);
    },
  };
}

type Connecting = Pick<Context, 'profile' | 'isLive' | 'words' | 'terminal'>;

function connectAs({ profile, isLive, words, terminal }: Connecting): Connection {
  const { baseUrl: address, sandboxKey, liveKey } = readProfile(profile);
  const key = isLive ? liveKey : sandboxKey;
  if (!address || !key) {
    if (isFromEnvironment()) throw new WrongUse(words.needsBoth);
    throw new WrongUse(isLive && address ? words.needsLiveKey : words.needsLogin);
  }
  const baseUrl = apiAddress(address, words);
  const onRequest = ({ sandboxWarning }: RequestReport) => {
    if (sandboxWarning) terminal.info(terminal.paint('yellow', words.warning(sandboxWarning)));
  };
  const options = { apiKey: key, baseUrl, onRequest };
  return { baseUrl, key, plataforma: new Plataforma(options), transport: createTransport(options) };
}

function report(error: unknown, words: Words, terminal: Terminal): number {
  const { info, paint } = terminal;
  if (error instanceof WrongUse) {
    info(error.message);
    return 2;
  }
  if (error instanceof NotWritten) {
    info(error.message);
    return 1;
  }
  if (error instanceof ConnectionError) {
    info(paint('red', error instanceof UnknownOutcomeError ? words.unknown : words.noAnswer));
    if (error.cause instanceof ApiError) info(inLine(`${error.cause.code}: ${error.cause.message}`));
    if (error.idempotencyKey) info(words.askAgain(error.idempotencyKey));
    return 3;
  }
  if (isFileError(error)) return reportFile(error, words, terminal);
  if (!(error instanceof ApiError)) throw error;
  info(paint('red', inLine(words.refused(error.code, error.message))));
  if (error.reason) info(inLine(error.reason));
  if (error.requestId) info(paint('dim', words.requestId(error.requestId)));
  return 1;
}

/**
 * Reports a file error and returns the exit code: 2 for a failed read, 1 for a failed write. Returns 0 if the
 * reader of a pipe has closed the pipe.
 */
function reportFile(error: NodeJS.ErrnoException, words: Words | undefined, terminal: Terminal): number {
  const { code, syscall, message } = error;
  if (code === 'EPIPE') return 0;
  const isWrite = syscall === 'write';
  terminal.progress('');
  terminal.info((isWrite && words?.notWritten(message)) || message);
  return isWrite ? 1 : 2;
}

/**
 * Finds the value of `--lang` before the arguments are parsed, because the parser's error messages need the
 * language.
 */
function languageIn(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => arg === '--lang' || arg.startsWith('--lang='));
  return at < 0 ? undefined : (args[at]?.split('=')[1] ?? args[at + 1] ?? '');
}
