import { type Language, languages } from '@plataforma/contracts/catalogue';
import type { AnswerTo } from '@plataforma/sdk/client';

/** A charge without its private fields. */
export type Charge = AnswerTo<'GET /v1/charges/:id/checkout'>;

export { type Language, languages };

/** The input of the page, in the browser and on the server. */
export interface State {
  charge: Charge;
  language: Language;
  /** The platform's or installation's name in the footer; empty for none. */
  brand: string;
}

/** The step that a buyer sees. `late` is past the deadline but not yet expired on the server. */
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

/** Returns whether only a later action can change the charge. The page then polls less often. */
export function isFinal(step: CheckoutStep): step is FinalStage {
  return step !== 'waiting' && step !== 'late';
}

/** A payment link without its private fields. */
export type LinkPage = AnswerTo<'GET /v1/payment-links/:slug/page'>;

export type Visit = AnswerTo<'GET /v1/checkouts/:id'>;

/**
 * Returns whether a card can no longer pay: no attempts are left, the link is used up, or another tab pays or
 * has paid.
 */
export function isOver({ state, card, cardTriesLeft, linkStatus }: Visit): boolean {
  if (linkStatus === 'USED_UP') return true;
  return card === null || cardTriesLeft === 0 || !['OPEN', 'PIX', 'CARD_FORM', 'CODE_ENDED'].includes(state);
}

/** The input of the page of a visit. */
export interface VisitState {
  visit: Visit;
  language: Language;
  brand: string;
  /** The code of the API's refusal, which the page explains. */
  refused: string;
}

/** Returns the charge of a visit in the shape of a charge's page, or null before a charge exists. */
export function chargeIn(visit: Visit): Charge | null {
  const { status } = visit.charge ?? {};
  if (!visit.charge || !status || status === 'DECLINED') return null;
  const { qrCode, qrCodeBase64, ...charge } = visit.charge;
  const code = qrCode !== null && qrCodeBase64 !== null ? { qrCode, qrCodeBase64 } : {};
  return { ...visit, ...charge, status, ...code, checkoutColor: visit.color };
}
