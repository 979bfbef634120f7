import type { Database } from '@plataforma/data';
import type { Cents } from '@plataforma/kernel';
import { newsOfCardCharge } from '../domain/callback.ts';
import { chargeBack, chargeThatPaid } from '../domain/card-charge.ts';
import { appendCallbacks } from '../store/callbacks.ts';
import { lockCardChargesByCode, saveCardCharge } from '../store/card-charges.ts';

interface ChargeCardBack {
  code: string;
  /** Undefined: all that is left. */
  amount: Cents | undefined;
  reason: string;
  now: Date;
}

/** A card holder disputes a charge, and the money goes back. */
export async function chargeCardBack(database: Database, { code, amount, reason, now }: ChargeCardBack) {
  return database.transaction(async (tx) => {
    const charge = chargeThatPaid(await lockCardChargesByCode(tx, code));
    const disputed = chargeBack(charge, { amount, reason, now });

    await saveCardCharge(tx, disputed);
    await appendCallbacks(tx, [newsOfCardCharge('charge.chargedback', disputed, now)]);
    return disputed;
  });
}
