import { commandIn, commands } from './commands.ts';

const everywhere = ['profile', 'lang', 'json', 'live', 'help'];

/** What may stand where the last word of a line is being typed. */
export function candidatesFor(line: readonly string[]): string[] {
  const typed = line.at(-1) ?? '';
  const before = line.slice(0, -1).filter((word) => !word.startsWith('-'));
  return [...new Set(allAfter(before, typed))].filter((word) => word.startsWith(typed)).sort();
}

function allAfter(before: readonly string[], typed: string): string[] {
  const found = commandIn(before);
  if (found && typed.startsWith('-')) {
    return [...Object.keys(found.command.options ?? {}), ...everywhere].map((name) => `--${name}`);
  }
  const start = before.length === 0 ? '' : `${before.join(' ')} `;
  const next = [...commands.keys()]
    .filter((name) => name.startsWith(start))
    .flatMap((name) => name.slice(start.length).split(' ')[0] || []);
  const isComplete = found && found.rest.length === 0;
  return [...next, ...(isComplete ? (found.command.candidates ?? []) : [])];
}
