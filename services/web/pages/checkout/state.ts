import type { AnswerTo } from '@plataforma/client';

/** A charge as the public sees it. */
export type Charge = AnswerTo<'GET /v1/charges/:id/checkout'>;

export const languages = ['pt-BR', 'en'] as const;
export type Language = (typeof languages)[number];

/** What the page is drawn from, here and on the server. */
export interface State {
  charge: Charge;
  language: Language;
  /** Platform or installation, in the footer; empty for none. */
  brand: string;
}

/** What a buyer has in front of them; `late` has run out by the clock, and the server has not said so yet. */
export type Stage = 'waiting' | 'late' | 'paid' | 'refunded' | 'disputed' | 'expired' | 'cancelled';

const stages = {
  PAID: 'paid',
  EXPIRED: 'expired',
  CANCELLED: 'cancelled',
  REFUNDED: 'refunded',
  DISPUTED: 'disputed',
} as const;

export function stageOf({ status, expiresAt }: Charge, now: number): Stage {
  if (status !== 'PENDING') return stages[status];
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'late' : 'waiting';
}

/** Nothing changes any more without somebody's doing: no reason to look often. */
export function isSettled(stage: Stage): boolean {
  return stage !== 'waiting' && stage !== 'late';
}
