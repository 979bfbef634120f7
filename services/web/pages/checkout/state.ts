import { type Language, languages } from '@plataforma/contracts/catalogue';
import type { AnswerTo } from '@plataforma/sdk/client';

/** A charge as buyers see it, without private fields. */
export type Charge = AnswerTo<'GET /v1/charges/:id/checkout'>;

export { type Language, languages };

/** Facts about the operator of the platform, for buyers. A text is empty if it is not set. */
export interface Installation {
  brand: string;
  privacyUrl: string;
}

/** The data of a charge's page, which the server and the browser both render. */
export interface State {
  charge: Charge;
  language: Language;
  installation: Installation;
}

/**
 * The step that a buyer sees. `late` means that the deadline has passed but the server has not yet reported
 * the expiry.
 */
export type CheckoutStep = 'waiting' | 'late' | FinalStage;
export type FinalStage = (typeof settledSteps)[keyof typeof settledSteps];

/** The steps that the title of the tab distinguishes. `open` means that no way to pay is chosen. */
export type TabStep = CheckoutStep | 'open';

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

/**
 * Returns whether the charge is paid or has ended. Only a refund, a dispute or a late payment can change such
 * a charge, so its page polls less often.
 */
export function isFinal(step: CheckoutStep): step is FinalStage {
  return step !== 'waiting' && step !== 'late';
}

/** A payment link as buyers see it, without private fields. */
export type LinkPage = AnswerTo<'GET /v1/payment-links/:slug/page'>;

export type Visit = AnswerTo<'GET /v1/checkouts/:id'>;

/**
 * Returns whether this visit accepts no card any more. No attempts are left, the link is used up, or another
 * tab is paying or has paid.
 */
export function isOver({ state, card, cardTriesLeft, linkStatus }: Visit): boolean {
  if (linkStatus === 'USED_UP') return true;
  return card === null || cardTriesLeft === 0 || !['OPEN', 'PIX', 'CARD_FORM', 'CODE_ENDED'].includes(state);
}

/** The data of a visit's page, which the server and the browser both render. */
export interface VisitState {
  visit: Visit;
  language: Language;
  installation: Installation;
  /** The code of the API's error, which the page explains. */
  refused: string;
}

/**
 * Returns a visit's charge in the form that the page of a charge shows. Returns null before a charge exists
 * and after a declined card.
 */
export function chargeIn(visit: Visit): Charge | null {
  const { status } = visit.charge ?? {};
  if (!visit.charge || !status || status === 'DECLINED') return null;
  const { qrCode, qrCodeBase64, ...charge } = visit.charge;
  const code = qrCode !== null && qrCodeBase64 !== null ? { qrCode, qrCodeBase64 } : {};
  return { ...visit, ...charge, status, ...code, checkoutColor: visit.color };
}

/** Returns the step for the title of a visit's tab. */
export function tabStepOf(visit: Visit, now: number): TabStep {
  if (visit.state === 'PROCESSING') return 'late';
  const charge = chargeIn(visit);
  return charge && visit.state !== 'OPEN' && visit.state !== 'CARD_FORM' ? stepOf(charge, now) : 'open';
}
