import { isRecord } from '../records.ts';
import { inLine } from './safely.ts';
import { dateAndTime, lazily } from './times.ts';

/** The columns of each list's table. With `--json` the output contains all fields. */
const columns: Record<string, readonly string[]> = {
  charges: ['id', 'status', 'amount', 'paymentMethod', 'externalId', 'createdAt'],
  withdrawals: ['id', 'status', 'amount', 'pixKey', 'externalId', 'createdAt'],
  disputes: ['id', 'status', 'amount', 'reason', 'chargeId', 'deadline'],
  destinations: ['id', 'type', 'label', 'pixKey', 'createdAt'],
  deliveries: ['id', 'status', 'event', 'attempts', 'resourceId', 'createdAt'],
  webhooks: ['id', 'url', 'health', 'isActive', 'events'],
  events: ['id', 'event', 'resourceId', 'sequence', 'createdAt'],
  requests: ['createdAt', 'method', 'path', 'status', 'errorCode', 'durationMs', 'requestId'],
};
const MOST_COLUMNS = 6;
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** Matches names of fields whose values are amounts in cents. */
const CENTS = /amount|balance|fee$|fees|debt|earned|withdrawn|gross|^net$/i;
const money = lazily(() => new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' }));

export function tableOf(resource: string, rows: readonly unknown[]): string {
  const records = rows.filter(isRecord);
  const [first = {}] = records;
  const preferred = columns[resource]?.filter((name) => name in first) ?? [];
  const names =
    preferred.length > 0 ? preferred : Object.keys(first).filter((name) => !isRecord(first[name]));
  const shown = names.slice(0, preferred.length > 0 ? undefined : MOST_COLUMNS);
  const lines = [shown, ...records.map((row) => shown.map((name) => shownAs(name, row[name])))];
  const widths = shown.map((_name, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Formats an object with one line for each field that has a value. */
export function sheetOf(value: unknown, indent = ''): string {
  if (!isRecord(value)) return indent + shownAs('', value);
  const present = Object.entries(value)
    .filter(([, each]) => isShown(each))
    .map(([name, each]) => [inLine(name), each] as const);
  const width = Math.max(...present.map(([name]) => name.length));
  const lines = present.map(([name, each]) => {
    if (isRecord(each)) return `${indent}${name}\n${sheetOf(each, `${indent}  `)}`;
    return `${indent}${name.padEnd(width)}  ${shownAs(name, each)}`;
  });
  return lines.join('\n');
}

/** Returns false for a value that the output omits: an empty value or an image. */
function isShown(value: unknown): boolean {
  if (isRecord(value)) return Object.keys(value).length > 0;
  return value !== null && value !== undefined && !String(value).startsWith('data:image/');
}

const LONGEST = 200;

function shownAs(name: string, value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number' && CENTS.test(name))
    return money()
      .format(value / 100)
      .replaceAll('\u00a0', ' ');
  if (typeof value === 'string' && INSTANT.test(value)) return dateAndTime(value);
  if (typeof value === 'string')
    return inLine(value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value);
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return inLine(value.join(',')) || '–';
  return inLine(JSON.stringify(value));
}
