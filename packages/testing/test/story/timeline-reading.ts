import type { api } from '@plataforma/contracts';
import type { z } from 'zod';

export type Timeline = z.infer<typeof api.readTimeline.data>;

export function linesOf({ entries }: Timeline): string[] {
  return entries.map(({ service, what }) => `${service}: ${what}`);
}

export function entry({ entries }: Timeline, what: string): Timeline['entries'][number] {
  const found = entries.find((one) => one.what === what);
  if (!found) throw new Error(`nothing says that ${what}`);
  return found;
}

export function orderOf(timeline: Timeline, included: readonly string[]): string[] {
  return linesOf(timeline).filter((one) => included.includes(one));
}

export function nowOf({ sources }: Timeline): unknown {
  return sources.find(({ service }) => service === 'withdrawals')?.now;
}
