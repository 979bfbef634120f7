import { createHash } from 'node:crypto';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Of exactly these arguments: whoever changes the amount or the payee afterwards confirms something else. It is no
 * secret, only the proof that the first answer, which says what would happen, was there before.
 */
export function confirmationOf(tool: string, { confirm: _confirm, ...args }: Arguments): string {
  const text = JSON.stringify([tool, sorted(args)]);
  return `${tool}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
}

/** Clients write the same arguments in any order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, sorted(one)]));
}
