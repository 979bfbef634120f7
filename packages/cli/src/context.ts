import type { Plataforma } from '@plataforma/sdk';
import type { Transport } from '@plataforma/sdk/transport';
import type { Terminal } from './terminal.ts';
import type { Words } from './words/words.ts';

interface GlobalOptions {
  profile: string;
  isJson: boolean;
  isLive: boolean;
}

export type Values = Record<string, string | boolean | string[] | undefined>;

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
  /** The arguments after the command's name. */
  operands: readonly string[];
  signal: AbortSignal;
  /** Returns a connection that uses the profile's key. Throws WrongUse if the profile has no key. */
  connect(): Connection;
  /** Asks a person before a change in production. Throws WrongUse if the person refuses. */
  requireConsent(action: string): Promise<void>;
}

export interface OptionOf {
  type: 'string' | 'boolean';
  short?: string;
  multiple?: boolean;
  values?: readonly string[];
}

export interface Command {
  /** The operand after the name, for the help: `<event|file>`. */
  takes?: string;
  options?: Record<string, OptionOf>;
  /** True if the command runs until the user presses Ctrl-C. The command then exits with success. */
  isEndless?: boolean;
  /** True if every `--name value` that is not an option becomes a field of the request's body or query. */
  takesFields?: boolean;
  /** Returns the names of the request's fields with their possible values, for shell completion. */
  fields?(): ReadonlyMap<string, readonly string[]>;
  candidates?: readonly string[];
  run(context: Context): Promise<void>;
}

export function textOf({ values }: Pick<Context, 'values'>, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}
