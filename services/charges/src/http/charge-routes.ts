import { api, chargeColumns } from '@plataforma/contracts';
import { type Queryable, readPages } from '@plataforma/data';
import {
  type IdempotencyRecord,
  pageOf,
  type Router,
  serve,
  serveAnonymous,
  serveCsv,
  serveIdempotent,
} from '@plataforma/http';
import { merchantTime } from '@plataforma/service';
import { shopAppearance } from '../checkouts/http/shop-appearance.ts';
import { readLink } from '../checkouts/store/payment-links.ts';
import type { ChargesDependencies } from '../dependencies.ts';
import { newestDisputeOf, openDisputeOf } from '../disputes/store/dispute-lists.ts';
import { hasCards } from '../domain/card.ts';
import type { Charge } from '../domain/charge.ts';
import type { CreatedCharge } from '../domain/new-charge.ts';
import { warningOf } from '../domain/payer.ts';
import { advanceForCaller } from '../operations/advance-refund.ts';
import { cancelCharge } from '../operations/cancel-charge.ts';
import { createCardCharge } from '../operations/create-card-charge.ts';
import { createPixCharge } from '../operations/create-pix-charge.ts';
import { requestRefund } from '../operations/request-refund.ts';
import { listCharges } from '../store/charge-lists.ts';
import { returnsOf } from '../store/charge-returns.ts';
import { getCharge, getPublicCharge } from '../store/own-charges.ts';
import type { Refunded } from '../store/refund-outcomes.ts';
import { listUnmatchedOfCharge } from '../store/unmatched-of-charge.ts';
import {
  chargeInFile,
  chargeInListView,
  chargeView,
  checkoutView,
  nothingBeside,
  refundedView,
  refundingView,
} from './charge-view.ts';
import { refundsWait } from './waiting.ts';

export function chargeRoutes(router: Router, dependencies: ChargesDependencies): void {
  const { verifier, database, reads, merchants, acquirers, checkoutUrl } = dependencies;
  const createdAnswer = async ({ charge, isNew }: CreatedCharge, db: Queryable) => {
    const data = isNew
      ? chargeView(charge, { ...nothingBeside, checkoutUrl })
      : await shownCharge(db, charge, checkoutUrl);
    return { data, status: isNew ? 201 : 200 };
  };

  serveIdempotent(router, api.createCharge, {
    verifier,
    database,
    warn: ({ body }, { environment }) => warningOf(body.payerDocument, environment),
    work: ({ body }, tenant, idempotency) =>
      body.paymentMethod === 'CARD'
        ? createCardCharge(dependencies, { tenant, order: body }, idempotency)
        : createPixCharge(dependencies, { tenant, order: body }, idempotency),
    show: createdAnswer,
  });
  serve(router, api.getCardConfig, {
    verifier,
    answer: async (_call, tenant) => {
      const { publicKey, tokenizeUrl } = acquirers(tenant);
      const merchant = await merchants.get(tenant.merchantId);
      const { maxInstallments } = merchant;
      const cardEnabled = hasCards(merchant, tenant.environment);
      return { data: { publicKey, maxInstallments, tokenizeUrl, cardEnabled } };
    },
  });
  serveCsv(router, api.listCharges, {
    verifier,
    columns: chargeColumns,
    name: 'charges',
    batches: (query, merchant) => readPages((slice) => listCharges(reads, merchant, { ...query, ...slice })),
    rowOf: chargeInFile,
  });
  serve(router, api.listCharges, {
    verifier,
    answer: async ({ query }, merchant) =>
      pageOf(await listCharges(reads, merchant, query), query, chargeInListView),
  });
  serve(router, api.getCharge, {
    verifier,
    answer: async ({ params }, merchant) => {
      const charge = await getCharge(database, merchant, params.id);
      return { data: await shownCharge(database, charge, checkoutUrl) };
    },
  });
  serve(router, api.cancelCharge, {
    verifier,
    answer: async ({ params }, merchant) => {
      await cancelCharge(dependencies, merchant, params.id);
      return { data: { message: 'the charge is cancelled' } };
    },
  });
  refundRoutes(router, dependencies);
  serveAnonymous(router, api.getCheckout, {
    verifier,
    answer: async ({ params }) => {
      const charge = await getPublicCharge(database, params.id);
      const link = charge.paymentLinkId === null ? null : await readLink(database, charge.paymentLinkId);
      const [appearance, unmatched, dispute] = await Promise.all([
        shopAppearance(dependencies, charge.merchantId, link),
        listUnmatchedOfCharge(database, charge.id),
        charge.status === 'DISPUTED' ? openDisputeOf(database, charge.id) : null,
      ]);
      const now = await merchantTime(database, dependencies.clock, charge);
      return { data: checkoutView(charge, { ...appearance, unmatched, dispute, now }) };
    },
  });
}

function refundRoutes(router: Router, dependencies: ChargesDependencies): void {
  const { verifier, database } = dependencies;

  serveIdempotent(router, api.refundCharge, {
    verifier,
    database,
    work: async ({ params, body }, tenant, idempotency: IdempotencyRecord<Refunded>) => {
      const requested = await requestRefund(
        dependencies,
        { tenant, chargeId: params.id, ...body },
        idempotency,
      );
      return advanceForCaller(dependencies, requested, idempotency);
    },
    show: async ({ charge, refund }, db) => {
      if (charge.status === 'REFUNDED') return { data: refundedView(charge, refund) };
      const data = refundingView(charge, refund, await refundsWait(db, charge, [refund]));
      return { data, status: 202 };
    },
  });
}

async function shownCharge(db: Queryable, charge: Charge, checkoutUrl: string | null) {
  const [returns, disputeId] = await Promise.all([returnsOf(db, charge.id), newestDisputeOf(db, charge.id)]);
  const waits = await refundsWait(db, charge, returns);
  return chargeView(charge, { returns, disputeId, waits, checkoutUrl });
}
