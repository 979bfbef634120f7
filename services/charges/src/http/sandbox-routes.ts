import { api } from '@plataforma/contracts';
import { type Router, serveIdempotent } from '@plataforma/http';
import type { ChargesDependencies } from '../dependencies.ts';
import type { Charge } from '../domain/charge.ts';
import { expireCharge } from '../operations/expire-charge.ts';
import { type PaidBySandbox, paySandboxCharge } from '../operations/pay-sandbox-charge.ts';
import { simulatePayment } from '../operations/simulate-payment.ts';
import { chargeInListView } from './charge-view.ts';

export function sandboxRoutes(router: Router, shared: ChargesDependencies): void {
  const dependencies = { ...shared, expireCharge: (charge: Charge) => expireCharge(shared, charge) };
  const { verifier, database } = dependencies;

  serveIdempotent(router, api.simulatePayment, {
    verifier,
    database,
    work: ({ params }, tenant, idempotency) =>
      simulatePayment(dependencies, { tenant, id: params.id }, idempotency),
    show: (charge: Charge) => {
      const message = 'the charge was paid by the sandbox';
      return { data: { ...paidView(charge), message } };
    },
  });
  serveIdempotent(router, api.paySandboxCharge, {
    verifier,
    database,
    work: ({ params, body }, tenant, idempotency) =>
      paySandboxCharge(dependencies, { tenant, id: params.id, ...body }, idempotency),
    show: ({ charge, payments }: PaidBySandbox) => ({ data: { ...paidView(charge), payments } }),
  });
}

function paidView(charge: Charge) {
  const { id, txid, status, paidAt } = chargeInListView(charge);
  return { id, txid, status, paidAt };
}
