import { Refusal } from './refusal.ts';

/** Every change of status there is: for each status, the verbs that are possible from it and where each leads. */
export type Table<Status extends string, Verb extends string> = Readonly<
  Record<Status, Readonly<Partial<Record<Verb, Status>>>>
>;

/** The status after the verb, or null when the verb is not possible from this status. */
export function next<Status extends string, Verb extends string>(
  table: Table<Status, Verb>,
  status: Status,
  verb: Verb,
): Status | null {
  return table[status][verb] ?? null;
}

/**
 * The status after the verb; throws a Refusal, conflict INVALID_STATE, when the verb is not possible from this status.
 * `noun` names the record in its message, as in "the withdrawal is PAID and can’t be changed so".
 */
export function requireNext<Status extends string, Verb extends string>(
  table: Table<Status, Verb>,
  { noun, status }: { noun: string; status: Status },
  verb: Verb,
): Status {
  const after = next(table, status, verb);
  if (after !== null) return after;
  throw new Refusal('conflict', 'INVALID_STATE', `the ${noun} is ${status} and can’t be changed so`);
}
