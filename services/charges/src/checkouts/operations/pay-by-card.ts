import type { Database } from '@plataforma/data';
import type { IdempotencyRecord } from '@plataforma/http';
import { type Clock, Declined, Refusal, type Tenant } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { MerchantDirectory } from '@plataforma/service';
import { requireCardAllowed } from '../../domain/card.ts';
import { VOIDED } from '../../domain/card-outcome.ts';
import type { Charge } from '../../domain/charge.ts';
import {
  orderOf,
  outcomeUnknown,
  paidElsewhere,
  requireMethod,
  requireTriesLeft,
} from '../domain/checkout.ts';
import { noUsesLeft, requireMayCharge, requireShownCount } from '../domain/payment-link.ts';
import { requireCards } from '../store/link-cards.ts';
import { readVisit, reserveForCharge, reserveForForm } from '../store/visits.ts';

interface CardFields {
  cardToken: string;
  installments: number;
  payerName?: string | undefined;
  payerDocument?: string | undefined;
  payerPhone?: string | undefined;
}

interface CardPayment extends CardFields {
  /** The number of the network that sends the payment; null when the gateway runs an older release. */
  payerGroup: number | null;
}

type CardOrder = ReturnType<typeof orderOf> & Pick<CardFields, 'cardToken' | 'installments' | 'payerPhone'>;

interface PayByCard {
  database: Database;
  merchants: MerchantDirectory;
  clock: Clock;
  log: Log;
  cancelPix: (tenant: Tenant, chargeId: string) => Promise<void>;
  payCard: (
    command: { tenant: Tenant; order: CardOrder },
    idempotency: IdempotencyRecord<{ charge: Charge }>,
  ) => Promise<{ charge: Charge }>;
}

/**
 * A second browser tab may create a new Pix code between the cancellation of the code and the card payment.
 * The cancellation and the payment are therefore tried up to this many times.
 */
const MAX_TRIES = 3;

/**
 * Cancels the visit's unpaid Pix code, and charges a card. The card form stays open, so that the buyer of a
 * deactivated link can finish the payment. Resumes an attempt whose outcome is unknown.
 */
export async function payByCard(dependencies: PayByCard, id: string, payment: CardPayment): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (await isPaid(dependencies, id, payment)) return;
  }
  throw outcomeUnknown();
}

/**
 * Returns true when the visit is paid. Returns false when the visit has changed meanwhile; the caller then
 * tries again.
 */
async function isPaid(
  dependencies: PayByCard,
  id: string,
  { payerGroup, ...fields }: CardPayment,
): Promise<boolean> {
  const { checkout, link, charge } = await readVisit(dependencies.database, id);
  requireMethod(link, 'CARD');
  if (checkout.use === 'USED') return true;
  const living = checkout.isLiving ? charge : null;
  const tenant = { merchantId: link.merchantId, environment: link.environment };
  if (living?.paymentMethod !== 'CARD') {
    requireTriesLeft(checkout);
    const merchant = await dependencies.merchants.get(link.merchantId);
    requireMayCharge(merchant, link);
    requireCardAllowed(merchant, link.environment, fields.installments);
    requireShownCount(fields.installments, { ...checkout, ...merchant });
    await requireCards(dependencies, { link, checkout, payerGroup }, 'payment');
    await dependencies.database.transaction((tx) => reserveForForm(tx, dependencies.clock, id));
  }
  if (living?.paymentMethod === 'PIX') {
    await takeBack(dependencies, tenant, living.id);
    return false;
  }
  const { payerName = checkout.payerName, payerDocument = checkout.payerDocument, ...card } = fields;
  const order = { ...orderOf(checkout, link), payerName, payerDocument, ...card };
  const idempotency: IdempotencyRecord<{ charge: Charge }> = {
    isKeyed: true,
    begunId: living?.id ?? null,
    start: (tx, chargeId) =>
      reserveForCharge(tx, dependencies.clock, { checkoutId: id, chargeId, checkLocked: requireTriesLeft }),
    saveResponse: async () => undefined,
  };
  try {
    const paid = await dependencies.payCard({ tenant, order }, idempotency);
    if (paid.charge.checkoutId !== id) throw paidElsewhere();
    return true;
  } catch (error) {
    return afterRefusal(dependencies, id, error);
  }
}

async function afterRefusal({ database }: PayByCard, id: string, error: unknown): Promise<false> {
  // Other visits had used up the link before the acquirer approved this card. The payment is voided.
  if (error instanceof Declined && error.reason === VOIDED) throw noUsesLeft();
  if (!(error instanceof Refusal) || error.code !== 'EXTERNAL_ID_CONFLICT') throw error;
  const { checkout: now } = await readVisit(database, id);
  if (now.isLiving || now.use === 'USED') return false;
  throw paidElsewhere();
}

/**
 * Cancels the Pix code; a code that has ended already causes no error. Refuses when the cancellation's
 * outcome is unknown.
 */
async function takeBack({ cancelPix }: PayByCard, tenant: Tenant, chargeId: string): Promise<void> {
  try {
    await cancelPix(tenant, chargeId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code !== 'CHARGE_NOT_CANCELLABLE') throw outcomeUnknown();
  }
}
