import {
  type Database,
  type Log,
  type MerchantDirectory,
  pageMeta,
  type Router,
  serve,
  servePublic,
  type Verifier,
} from '@plataforma/chassis';
import { api } from '@plataforma/contracts';
import { type Clock, Refusal } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import { cancelCharge } from '../operations/cancel-charge.ts';
import { createCharge } from '../operations/create-charge.ts';
import { simulatePayment } from '../operations/simulate-payment.ts';
import type { PixProviders } from '../pix/providers.ts';
import type { SandboxPayer } from '../pix/sandbox-payer.ts';
import { listCharges } from '../store/charge-list.ts';
import { findCharge, findPublicCharge } from '../store/charges.ts';
import { chargeInListView, chargeView, checkoutView } from './charge-view.ts';

interface ChargeRoutes {
  verifier: Verifier;
  database: Database;
  merchants: MerchantDirectory;
  pix: PixProviders;
  payer: SandboxPayer;
  log: Log;
  clock: Clock;
  registrationGraceMs: number;
}

export function chargeRoutes(router: Router, parts: ChargeRoutes): void {
  const { verifier, database, merchants } = parts;

  serve(router, api.createCharge, {
    verifier,
    answer: async ({ body }, merchant) => {
      const { charge, isNew } = await createCharge(parts, merchant, body);
      return { data: chargeView(charge), status: isNew ? 201 : 200 };
    },
  });
  serve(router, api.listCharges, {
    verifier,
    answer: async ({ query }, merchant) => {
      const { charges, total } = await listCharges(database, merchant, query);
      return { data: charges.map(chargeInListView), meta: pageMeta(total, query) };
    },
  });
  serve(router, api.getCharge, {
    verifier,
    answer: async ({ params }, merchant) => ({
      data: chargeView(found(await findCharge(database, merchant, params.id))),
    }),
  });
  serve(router, api.cancelCharge, {
    verifier,
    answer: async ({ params }, merchant) => {
      await cancelCharge(parts, merchant, params.id);
      return { data: { message: 'the charge is cancelled' } };
    },
  });
  serve(router, api.simulatePayment, {
    verifier,
    answer: async ({ params }, merchant) => {
      const { id, txid, status, paidAt } = await simulatePayment(parts, merchant, params.id);
      const message = 'the charge was paid by the sandbox';
      return { data: { id, txid, status, paidAt: paidAt?.toISOString() ?? null, message } };
    },
  });
  servePublic(router, api.getCheckout, {
    verifier,
    answer: async ({ params }) => {
      const charge = found(await findPublicCharge(database, params.id));
      return { data: checkoutView(charge, await merchants.find(charge.merchantId)) };
    },
  });
}

function found(charge: Charge | null): Charge {
  if (charge) return charge;
  throw new Refusal('missing', 'NOT_FOUND', 'there is no charge with this id');
}
