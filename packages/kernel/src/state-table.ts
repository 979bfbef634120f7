import { Refusal } from './refusal.ts';

/** For each status, the verbs that it allows and the status that follows each verb. */
export type Table<Status extends string, Verb extends string> = Readonly<
  Record<Status, Readonly<Partial<Record<Verb, Status>>>>
>;

/** Returns the status after the verb, or null when this status does not allow the verb. */
export function next<Status extends string, Verb extends string>(
  table: Table<Status, Verb>,
  status: Status,
  verb: Verb,
): Status | null {
  return table[status][verb] ?? null;
}

/**
 * Returns the status after the verb. Throws a Refusal, conflict INVALID_STATE, when this status does not
 * allow the verb. `noun` names the record in the message, as in "the withdrawal is PAID and can’t be changed
 * so".
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
