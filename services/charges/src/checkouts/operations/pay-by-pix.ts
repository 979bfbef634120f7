import type { Database } from '@plataforma/data';
import type { IdempotencyRecord } from '@plataforma/http';
import { type Clock, Refusal, type Tenant } from '@plataforma/kernel';
import { type MerchantDirectory, merchantTime } from '@plataforma/service';
import type { Charge } from '../../domain/charge.ts';
import { orderOf, outcomeUnknown, paidElsewhere, requireMethod } from '../domain/checkout.ts';
import { requireMayCharge } from '../domain/payment-link.ts';
import { readVisit, reserveForCharge } from '../store/visits.ts';

type PixOrder = ReturnType<typeof orderOf> & { expiresIn: number };

interface PayByPix {
  database: Database;
  merchants: MerchantDirectory;
  clock: Clock;
  createPix: (
    command: { tenant: Tenant; order: PixOrder },
    idempotency: IdempotencyRecord<{ charge: Charge }>,
  ) => Promise<{ charge: Charge }>;
}

/**
 * Creates the Pix code of a visit. The checkout stores the id of the charge, so that a second request, or a
 * request after a crash, resumes this charge.
 */
export async function payByPix(dependencies: PayByPix, id: string): Promise<void> {
  const { checkout, link, charge } = await readVisit(dependencies.database, id);
  requireMethod(link, 'PIX');
  if (checkout.use === 'USED') return;
  const living = checkout.isLiving ? charge : null;
  if (living) requirePayable(living, await merchantTime(dependencies.database, dependencies.clock, living));
  else requireMayCharge(await dependencies.merchants.get(link.merchantId), link);

  const idempotency: IdempotencyRecord<{ charge: Charge }> = {
    isKeyed: true,
    begunId: living?.id ?? null,
    start: (tx, chargeId) =>
      reserveForCharge(tx, dependencies.clock, { checkoutId: id, chargeId, isCode: true }),
    saveResponse: async () => undefined,
  };
  const tenant = { merchantId: link.merchantId, environment: link.environment };
  const order = { ...orderOf(checkout, link), expiresIn: link.pixExpiresIn };
  try {
    const created = await dependencies.createPix({ tenant, order }, idempotency);
    if (created.charge.checkoutId === id) return;
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'EXTERNAL_ID_CONFLICT')) throw error;
  }
  await requirePaid(dependencies, id);
}

/** Refuses while a card is being charged, and when the code has expired but its outcome is not known yet. */
function requirePayable({ paymentMethod, expiresAt }: Charge, now: Date): void {
  if (paymentMethod === 'PIX' && expiresAt !== null && expiresAt > now) return;
  throw outcomeUnknown();
}

/**
 * Throws unless the visit is paid, because a charge of another request or of the merchant already has the
 * visit's externalId.
 */
async function requirePaid({ database }: PayByPix, id: string): Promise<void> {
  const { checkout } = await readVisit(database, id);
  if (checkout.use === 'USED') return;
  throw checkout.isLiving ? outcomeUnknown() : paidElsewhere();
}
