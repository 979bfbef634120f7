import type { Queryable } from '@plataforma/data';
import { next, Refusal, requireNext, type Table } from '@plataforma/kernel';

/**
 * A state table of a service, and the steps that the test expects. The test lists the steps independently of
 * the table.
 */
export interface DecidedTable {
  table: Table<string, string>;
  initial: string;
  /** All expected steps, such as "PENDING pay PAID": the status before, the verb, and the status after. */
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
 * Returns the difference between the table and the expected steps for a status and a verb. Also checks that
 * `next` and `requireNext` agree. Returns null if there is no difference.
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

/**
 * Returns the faults of the table: wrong final statuses, statuses that no step reaches, and steps to a status
 * that is not in the table.
 */
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
 * Returns the differences between the table's statuses and the values that the column's constraint in the
 * database allows.
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

/**
 * Returns the texts that a CHECK constraint allows, from PostgreSQL's text of the constraint. Returns null if
 * the constraint has another form.
 */
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
