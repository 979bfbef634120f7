import { commands, ownCommands } from './commands/commands.ts';
import { optionsOf } from './commands/complete.ts';
import { everywhere } from './options.ts';
import { about, help } from './words/help.ts';
import type { Words } from './words/words.ts';

export function helpOf(words: Words, name?: string): string {
  const said = (texts: readonly [string, string]) => texts[words.index] ?? texts[0];
  const globals = [
    ['--profile NAME', said(help.profile)],
    ['--lang pt|en', said(help.lang)],
    ['--json', said(help.json)],
    ['--live', said(help.live)],
  ] as const;
  if (name !== undefined) {
    const command = commands.get(name);
    const own = [...optionsOf(command)]
      .filter(([option]) => !(option in everywhere))
      .map(([option, allowed]) => {
        return `  --${option}${allowed ? ` ${allowed.join('|') || '…'}` : ''}`;
      });
    const description = Object.entries(about).find(([each]) => each === name)?.[1];
    const summary = description ? [said(description)] : [];
    const takes = command?.takes ? ` ${command.takes}` : '';
    return [words.usage(`${name}${takes}`), ...summary, ...own, ...listed(globals)].join('\n');
  }
  const own = Object.entries(about).map(
    ([each, description]) => [signature(each), said(description)] as const,
  );
  return [
    said(help.title),
    '',
    said(help.usage),
    '',
    said(help.commands),
    ...listed(own),
    '',
    said(help.resources),
    ...resources().map(([resource, actions]) => `  ${resource.padEnd(22)} ${actions.join(' ')}`),
    '',
    said(help.options),
    ...listed(globals),
    '',
    said(help.exits),
  ].join('\n');
}

function signature(name: string): string {
  return [name, ownCommands[name]?.takes].filter(Boolean).join(' ');
}

function listed(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(36, Math.max(...rows.map(([name]) => name.length)));
  return rows.map(([name, description]) => `  ${name.padEnd(width)}  ${description}`);
}

function resources(): [string, string[]][] {
  const grouped = new Map<string, string[]>();
  for (const name of commands.keys()) {
    const words = name.split(' ');
    if (words.length < 2) continue;
    const [resource, action] = [words.slice(0, -1).join(' '), words.at(-1) ?? ''];
    grouped.set(resource, [...(grouped.get(resource) ?? []), action]);
  }
  return [...grouped];
}
