import { type Language, languages } from '@plataforma/contracts/catalogue';
import type { AnswerTo } from '@plataforma/sdk/client';

/** A charge as the public sees it. */
export type Charge = AnswerTo<'GET /v1/charges/:id/checkout'>;

export { type Language, languages };

/** What the page is drawn from, here and on the server. */
export interface State {
  charge: Charge;
  language: Language;
  /** Platform or installation, in the footer; empty for none. */
  brand: string;
}

/** What a buyer has in front of them; `late` has run out by the clock, and the server has not said so yet. */
export type CheckoutStep = 'waiting' | 'late' | FinalStage;
export type FinalStage = (typeof settledSteps)[keyof typeof settledSteps];

const settledSteps = {
  PAID: 'paid',
  EXPIRED: 'expired',
  CANCELLED: 'cancelled',
  REFUNDED: 'refunded',
  DISPUTED: 'disputed',
} as const;

export function stepOf({ status, expiresAt }: Charge, now: number): CheckoutStep {
  if (status !== 'PENDING') return settledSteps[status];
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'late' : 'waiting';
}

/** Nothing changes any more without somebody's doing: no reason to look often. */
export function isFinal(step: CheckoutStep): step is FinalStage {
  return step !== 'waiting' && step !== 'late';
}

/** A payment link as buyers see it. */
export type LinkPage = AnswerTo<'GET /v1/payment-links/:slug/page'>;

/** A buyer's visit to a payment link. */
export type Visit = AnswerTo<'GET /v1/checkouts/:id'>;

/** Nothing that is typed can be paid with: cards are used up, or the link, or another tab pays or has paid the visit. */
export function isOver({ state, card, cardTriesLeft, linkStatus }: Visit): boolean {
  if (linkStatus === 'USED_UP') return true;
  return card === null || cardTriesLeft === 0 || !['OPEN', 'PIX', 'CARD_FORM', 'CODE_ENDED'].includes(state);
}

/** What a page of a visit is drawn from. */
export interface VisitState {
  visit: Visit;
  language: Language;
  brand: string;
  /** The code of what the API refused, of which the page says a word. */
  refused: string;
}

/** The charge of a visit, as the page of a charge has it; null before there is one. */
export function chargeIn(visit: Visit): Charge | null {
  const { status } = visit.charge ?? {};
  if (!visit.charge || !status || status === 'DECLINED') return null;
  const { qrCode, qrCodeBase64, ...charge } = visit.charge;
  const code = qrCode !== null && qrCodeBase64 !== null ? { qrCode, qrCodeBase64 } : {};
  return { ...visit, ...charge, status, ...code, checkoutColor: visit.color };
}
