import { z } from 'zod';
import type { Call } from '../history.ts';

const thing = z.record(z.string(), z.unknown());
const one = z.object({ data: thing });
const many = z.object({ data: z.array(thing) });

/** A call with a 2xx response. Its data must stay true. */
export interface Acknowledged {
  call: Call;
  /** The response: one object, or each object of a list. */
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

export function nameOfCall({ number, actor, method, path }: Call): string {
  return `call ${number} (${actor}: ${method} ${path})`;
}
