import type { StrayView } from '@plataforma/contracts';
import type { Stray } from '../store/charge-strays.ts';

/** Money that came for a charge and paid nothing, as its buyer reads of it. */
export function strayView({ amount, status, paidAt, returnedAt }: Stray): StrayView {
  return { amount, status, paidAt: paidAt.toISOString(), returnedAt: returnedAt?.toISOString() ?? null };
}
