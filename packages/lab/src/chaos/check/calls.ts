import { z } from 'zod';
import type { Call } from '../history.ts';

const thing = z.record(z.string(), z.unknown());
const one = z.object({ data: thing });
const many = z.object({ data: z.array(thing) });

/** A call that was answered with a 2xx: what it was told is true from then on. */
export interface Acknowledged {
  call: Call;
  /** What it was answered: of a thing, and of each in a list. */
  data: Record<string, unknown>;
  list: readonly Record<string, unknown>[];
}

export const isDone = ({ status }: Call) => status !== null && status >= 200 && status < 300;

export function acknowledged(calls: readonly Call[]): Acknowledged[] {
  return calls.flatMap((call) => {
    if (!isDone(call)) return [];
    const data = one.safeParse(call.answer).data?.data ?? {};
    return [{ call, data, list: many.safeParse(call.answer).data?.data ?? [] }];
  });
}

/** For a finding: which call it was. */
export function nameOfCall({ number, actor, method, path }: Call): string {
  return `call ${number} (${actor}: ${method} ${path})`;
}
