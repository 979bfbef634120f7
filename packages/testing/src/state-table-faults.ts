import type { Queryable } from '@plataforma/data';
import { next, Refusal, requireNext, type Table } from '@plataforma/kernel';

/** A state table and, independently of it, the steps that it must have. */
export interface DecidedTable {
  table: Table<string, string>;
  initial: string;
  /** All steps, such as "PENDING pay PAID". */
  steps: readonly string[];
  ends: readonly string[];
  /** The column that stores the status, such as "charges.status". */
  storedIn: `${string}.${string}`;
}

export function pairsOf({ table, steps }: DecidedTable): { status: string; verb: string }[] {
  const verbs = new Set([
    ...Object.values(table).flatMap((ways) => Object.keys(ways)),
    ...steps.map((step) => partsOf(step).verb),
  ]);
  return Object.keys(table).flatMap((status) => [...verbs].map((verb) => ({ status, verb })));
}

/**
 * Returns the difference between the table and the decided steps for a pair, or between `next` and
 * `requireNext`; null if they agree.
 */
export function faultOfPair(
  { table, steps }: DecidedTable,
  { status, verb }: { status: string; verb: string },
): string | null {
  const decided = steps.map(partsOf).find((step) => step.status === status && step.verb === verb);
  const [expected, after] = [decided?.after ?? null, next(table, status, verb)];
  if (after !== expected) return `${status} ${verb} leads to ${after}, not ${expected}`;
  const required = outcomeOf(() => requireNext(table, { noun: 'record', status }, verb));
  return required === (expected ?? 'INVALID_STATE') ? null : `${status} ${verb} is required as ${required}`;
}

/** Returns the faults of the whole table: wrong ends, unreachable statuses, unknown statuses. */
export function faultsOfTable({ table, initial, steps, ends }: DecidedTable): string[] {
  const statuses = Object.keys(table);
  const final = statuses.filter((status) => Object.keys(table[status] ?? {}).length === 0);
  const reached = new Set([initial]);
  for (const status of reached)
    for (const after of Object.values(table[status] ?? {})) reached.add(after ?? '');
  const named = [initial, ...ends, ...steps.flatMap((step) => [partsOf(step).status, partsOf(step).after])];
  return [
    ...ends.filter((end) => !final.includes(end)).map((end) => `${end} is an end with a way out`),
    ...final.filter((end) => !ends.includes(end)).map((end) => `${end} has no way out and is no end`),
    ...statuses.filter((status) => !reached.has(status)).map((status) => `nothing leads to ${status}`),
    ...[...new Set([...reached, ...named])]
      .filter((status) => !statuses.includes(status))
      .map((status) => `${status} is no status of the table`),
  ];
}

const COLUMN = `
  SELECT attnotnull AS "isDemanded",
    ARRAY(SELECT pg_get_constraintdef(oid) FROM pg_constraint
      WHERE conrelid = attrelid AND contype = 'c' AND convalidated AND conkey = ARRAY[attnum]) AS checks
  FROM pg_attribute WHERE attrelid = $1::regclass AND attname = $2`;

/**
 * Returns the differences between the statuses of the table and the values that the database's column allows.
 */
export async function faultsOfStorage(db: Queryable, { table, storedIn }: DecidedTable): Promise<string[]> {
  const [relation, name] = storedIn.split('.');
  const [column] = await db.query<{ isDemanded: boolean; checks: string[] }>(COLUMN, [relation, name]);
  if (!column) return [`there is no column ${storedIn}`];
  const lists = column.checks.map(allowedBy).filter((list) => list !== null);
  const statuses = Object.keys(table);
  return [
    ...(column.isDemanded ? [] : [`${storedIn} may be null`]),
    ...(lists.length > 0 ? [] : [`${storedIn} has no CHECK of its statuses alone`]),
    ...lists.flatMap((allowed) => [
      ...statuses
        .filter((status) => !allowed.includes(status))
        .map((status) => `${storedIn} refuses ${status}`),
      ...allowed.filter((text) => !statuses.includes(text)).map((text) => `${storedIn} allows ${text}`),
    ]),
  ];
}

/** Parses PostgreSQL's text of a CHECK and returns the allowed texts; null for another kind of CHECK. */
function allowedBy(check: string): string[] | null {
  const list = /^CHECK \(\(\w+ = ANY \(ARRAY\[([^\]]*)\]\)\)\)$/.exec(check)?.[1];
  if (list === undefined) return null;
  return [...list.matchAll(/'([^']*)'::text/g)].map(([, text]) => text ?? '');
}

function partsOf(step: string): { status: string; verb: string; after: string } {
  const [status = '', verb = '', after = ''] = step.split(' ');
  return { status, verb, after };
}

function outcomeOf(rule: () => string): string {
  try {
    return rule();
  } catch (error) {
    return error instanceof Refusal ? error.code : 'an error';
  }
}
