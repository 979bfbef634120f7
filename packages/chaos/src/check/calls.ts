import { z } from 'zod';
import type { Call } from '../history.ts';

const envelope = z.object({ data: z.record(z.string(), z.unknown()) });

/** A call that was answered with a 2xx: what it was told is true from then on. */
export interface Acknowledged {
  call: Call;
  /** What it was answered. */
  data: Record<string, unknown>;
}

export function acknowledged(calls: readonly Call[]): Acknowledged[] {
  return calls.flatMap((call) => {
    if (call.status === null || call.status < 200 || call.status > 299) return [];
    return [{ call, data: envelope.safeParse(call.answer).data?.data ?? {} }];
  });
}

/** For a finding: which call it was. */
export function nameOfCall({ number, actor, method, path }: Call): string {
  return `call ${number} (${actor}: ${method} ${path})`;
}
