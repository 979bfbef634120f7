import type { Command, OptionOf } from '../context.ts';
import { kebabCase, lists } from '../fields.ts';
import { everywhere, takesValue } from '../options.ts';
import { commandIn, commands } from './commands.ts';

export function candidatesFor(line: readonly string[]): string[] {
  const partial = line.at(-1) ?? '';
  const before = line.slice(0, -1).filter((word, at) => !word.startsWith('-') && !takesValue(line[at - 1]));
  return [...new Set(allAfter(before, line))].filter((word) => word.startsWith(partial)).sort();
}

function allAfter(before: readonly string[], line: readonly string[]): string[] {
  const [option = '', partial = ''] = ['', ...line].slice(-2);
  const found = commandIn(before);
  const options = optionsOf(found?.command);
  const values = options.get(option.replace(/^--/, ''));
  if (option.startsWith('--') && values !== undefined) return valuesAfter(partial, option, values);
  if (partial.startsWith('-')) return found ? [...options.keys()].map((name) => `--${name}`) : [];
  const start = before.length === 0 ? '' : `${before.join(' ')} `;
  const next = [...commands.keys()]
    .filter((name) => name.startsWith(start))
    .flatMap((name) => name.slice(start.length).split(' ')[0] || []);
  const isComplete = found && found.rest.length === 0;
  return [...next, ...(isComplete ? (found.command.candidates ?? []) : [])];
}

/**
 * Returns the possible values of each option and field of a command, by name. An option that takes no value
 * has the entry `undefined`.
 */
export function optionsOf(command: Command | undefined): Map<string, readonly string[] | undefined> {
  const fields = [...(command?.fields?.() ?? [])].map(([name, values]) => [kebabCase(name), values] as const);
  const all: Record<string, OptionOf> = { ...command?.options, ...everywhere };
  const own = Object.entries(all).map(
    ([name, { type, values = [] }]) => [name, type === 'boolean' ? undefined : values] as const,
  );
  return new Map([...fields, ...own]);
}

/** Completes the last value of a comma-separated list, and keeps the values before it. */
function valuesAfter(partial: string, option: string, values: readonly string[]): string[] {
  const before = lists.includes(option.slice(2)) ? partial.slice(0, partial.lastIndexOf(',') + 1) : '';
  return values.map((value) => before + value);
}
