import type { Plataforma } from '@plataforma/sdk';
import type { Transport } from '@plataforma/sdk/transport';
import type { Terminal } from './terminal.ts';
import type { Words } from './words/words.ts';

/** The options of every command. */
interface GlobalOptions {
  profile: string;
  isJson: boolean;
  isLive: boolean;
}

/** The values of a command's own options, as typed. */
export type Values = Record<string, string | boolean | string[] | undefined>;

/** An account at an installation. */
export interface Connection {
  baseUrl: string;
  key: string;
  plataforma: Plataforma;
  transport: Transport;
}

export interface Context extends GlobalOptions {
  words: Words;
  terminal: Terminal;
  values: Values;
  /** The words after the command. */
  operands: readonly string[];
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** With the profile's key; refuses a profile that has none. */
  connect(): Connection;
  /** Before each change in production: goes on once a person has said so. */
  requireConsent(action: string): Promise<void>;
}

export interface OptionOf {
  type: 'string' | 'boolean';
  short?: string;
  multiple?: boolean;
  /** Its values, for completion. */
  values?: readonly string[];
}

export interface Command {
  /** The operand after the name, for the help: `<event|file>`. */
  takes?: string;
  options?: Record<string, OptionOf>;
  /** Goes on until Ctrl-C, which ends it well. */
  isEndless?: boolean;
  /** Any further `--name value` is a field of the body or the query. */
  takesFields?: boolean;
  /** Those that are known, each with what it may be, for completion. */
  fields?(): ReadonlyMap<string, readonly string[]>;
  /** The possible operands, for completion. */
  candidates?: readonly string[];
  run(context: Context): Promise<void>;
}

export function textOf({ values }: Pick<Context, 'values'>, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}
