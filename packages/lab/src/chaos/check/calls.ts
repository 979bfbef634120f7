import { z } from 'zod';
import type { Call } from '../history.ts';

const thing = z.record(z.string(), z.unknown());
const one = z.object({ data: thing });
const many = z.object({ data: z.array(thing) });

/** A call with a 2xx response. The data of the response must stay true. */
export interface Acknowledged {
  call: Call;
  /** The object in the response, which is empty if the response contains a list. */
  data: Record<string, unknown>;
  /** The objects of a list in the response, or an empty list. */
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
