import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Alarm, orderStatuses, orderTransitions, orderVerbs } from '../src/index.ts';

const root = new URL('../../../', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const [, after = ''] = read('docs/withdrawals.md').split('\n## Money orders\n');
const [section = ''] = after.split('\n## ');
const rows = [...section.matchAll(/^\| (`\w+`.*)\|$/gm)].map(([, row = '']) =>
  row.split('|').map((cell) => cell.trim()),
);
const firstCells = rows.map(([first]) => first);
const code = (name: string) => `\`${name}\``;

const alarmKinds = Object.keys({
  DONE_AFTER_FAILED: true,
  FAILED_AFTER_DONE: true,
  DONE_TWICE: true,
  ANOTHER_AMOUNT: true,
  RETURNED: true,
} satisfies Record<Alarm['kind'], true>);

describe('the page on money orders', () => {
  test('has a row for each status, action and alarm', () => {
    expect(firstCells).toEqual([...orderStatuses, ...orderVerbs, ...alarmKinds].map(code));
  });

  test.each(orderVerbs)('states the status change of %s', (verb) => {
    const steps = orderStatuses.map((from) => ({ from, to: orderTransitions[from][verb] }));
    const possible = steps.filter(({ to }) => to !== undefined);
    const froms = possible.map(({ from }) => code(from)).join(', ');
    const tos = new Set(possible.map(({ to }) => code(to ?? '')));

    expect(rows.find(([first]) => first === code(verb))?.[1]).toBe(`${froms} to ${[...tos].join(', ')}`);
  });

  test('names each group of the fault suite', () => {
    const sources = globSync('packages/testing/src/orders/*.ts', { cwd: root }).map(read).join('\n');
    const groups = [...sources.matchAll(/describe\('(.+?)'/g)].map(([, group = '']) => group);

    expect(groups.length).toBeGreaterThan(5);
    expect(groups.filter((group) => !section.replace(/\s+/g, ' ').includes(group))).toEqual([]);
  });
});
