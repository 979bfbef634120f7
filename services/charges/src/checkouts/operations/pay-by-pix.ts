import type { Remembering } from '@plataforma/http';
import { Refusal, type Tenant } from '@plataforma/kernel';
import { merchantTime } from '@plataforma/service';
import type { Charge } from '../../domain/charge.ts';
import { demandMethod, orderOf, outcomeUnknown, paidElsewhere } from '../domain/checkout.ts';
import { demandMayCharge, type HoldUse, holdForCharge, otherVisitOf, readVisit } from '../steps/hold-use.ts';

type PixOrder = ReturnType<typeof orderOf> & { expiresIn: number };

interface PayByPix extends HoldUse {
  createPix: (
    wanted: { tenant: Tenant; order: PixOrder },
    remembering: Remembering<{ charge: Charge }>,
  ) => Promise<{ charge: Charge }>;
}

/**
 * Gives a visit its Pix code, and takes a use with the charge that has it. The checkout remembers the charge, so that a
 * second request, or one after a process died, goes on with it. Answers whose visit it is: on a link of one use maybe
 * another one of the same payer.
 */
export async function payByPix(parts: PayByPix, id: string): Promise<string> {
  const visit = await readVisit(parts.database, id);
  const { checkout, link, charge } = visit;
  demandMethod(link, 'PIX');
  if (checkout.use === 'USED') return id;
  const living = checkout.isLiving ? charge : null;
  if (living) demandPayable(living, await merchantTime(parts.database, parts.clock, living));
  else await demandMayCharge(parts, link);

  const remembering: Remembering<{ charge: Charge }> = {
    isKeyed: true,
    begunId: living?.id ?? null,
    begin: (tx, chargeId) => holdForCharge(tx, parts, { checkoutId: id, chargeId, isCode: true }),
    keep: async () => undefined,
  };
  const tenant = { merchantId: link.merchantId, environment: link.environment };
  const order = { ...orderOf(checkout, link), expiresIn: link.pixExpiresIn };
  try {
    const created = await parts.createPix({ tenant, order }, remembering);
    if (created.charge.checkoutId === id) return id;
  } catch (error) {
    if (!isTakenBefore(error)) throw error;
    const other = await otherVisitOf(parts.database, visit);
    if (other) return other;
    if (error.code === 'NO_USES_LEFT') throw error;
  }
  return ownerOf(parts, id);
}

/** A card may be charged at this moment, or a code have ended that nothing is known of yet. */
function demandPayable({ paymentMethod, expiresAt }: Charge, now: Date): void {
  if (paymentMethod === 'PIX' && expiresAt !== null && expiresAt > now) return;
  throw outcomeUnknown();
}

function isTakenBefore(error: unknown): error is Refusal {
  return error instanceof Refusal && ['EXTERNAL_ID_CONFLICT', 'NO_USES_LEFT'].includes(error.code);
}

/** The order has a living charge: of another request of this visit, of another visit of the payer, or neither. */
async function ownerOf({ database }: HoldUse, id: string): Promise<string> {
  const visit = await readVisit(database, id);
  if (visit.checkout.use === 'USED') return id;
  if (visit.checkout.isLiving) throw outcomeUnknown();
  const other = await otherVisitOf(database, visit);
  if (other) return other;
  throw paidElsewhere();
}
