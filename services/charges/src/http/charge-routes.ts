import { api, chargeColumns } from '@plataforma/contracts';
import { type Database, type Queryable, readPages } from '@plataforma/data';
import {
  pageOf,
  type Remembering,
  type Router,
  serve,
  serveAnonymous,
  serveCsv,
  serveOnce,
  type Verifier,
} from '@plataforma/http';
import type { Clock } from '@plataforma/kernel';
import type { LedgerClient } from '@plataforma/ledger-client';
import type { Log } from '@plataforma/observe';
import { type MerchantDirectory, merchantTime, type Stops } from '@plataforma/service';
import type { Acquirers } from '../cards/acquirer-client.ts';
import type { ChargeHints } from '../charge-hints.ts';
import { shopLook } from '../checkouts/http/shop-look.ts';
import { readLink } from '../checkouts/store/payment-links.ts';
import { newestDisputeOf, openDisputeOf } from '../disputes/store/dispute-lists.ts';
import { hasCards } from '../domain/card.ts';
import type { Charge } from '../domain/charge.ts';
import { noSuchCharge } from '../domain/charge-refusals.ts';
import type { CreatedCharge } from '../domain/new-charge.ts';
import { warningOf } from '../domain/payer.ts';
import type { ProviderCharge } from '../domain/payment.ts';
import { advanceForCaller } from '../operations/advance-refund.ts';
import { cancelCharge } from '../operations/cancel-charge.ts';
import { createCardCharge } from '../operations/create-card-charge.ts';
import { createPixCharge } from '../operations/create-pix-charge.ts';
import { requestRefund } from '../operations/request-refund.ts';
import type { PixProviders } from '../pix/pix-client.ts';
import { listCharges } from '../store/charge-lists.ts';
import { findCharge, findPublicCharge } from '../store/charge-lookups.ts';
import { returnsOf } from '../store/charge-returns.ts';
import { straysOf } from '../store/charge-strays.ts';
import type { Refunded } from '../store/refund-outcomes.ts';
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

export interface ChargeRoutes {
  verifier: Verifier;
  database: Database;
  reads: Queryable;
  merchants: MerchantDirectory;
  pix: PixProviders;
  acquirers: Acquirers;
  ledger: LedgerClient;
  stops: Stops;
  hints: ChargeHints;
  log: Log;
  clock: Clock;
  confirmChargeNow: (charge: Charge) => Promise<ProviderCharge | null>;
  registrationGraceMs: number;
  firstPollMs: number;
  cardPatienceMs: number;
  cardHorizonMs: number;
  refundPatienceMs: number;
  refundRetryMs: number;
  refundDoubtMs: number;
  refundWaitMs: number;
  checkoutUrl: string | null;
}

export function chargeRoutes(router: Router, parts: ChargeRoutes): void {
  const { verifier, database, reads, merchants, acquirers, checkoutUrl } = parts;
  const createdAnswer = async ({ charge, isNew }: CreatedCharge, db: Queryable) => {
    const data = isNew
      ? chargeView(charge, { ...nothingBeside, checkoutUrl })
      : await shownCharge(db, charge, checkoutUrl);
    return { data, status: isNew ? 201 : 200 };
  };

  serveOnce(router, api.createCharge, {
    verifier,
    database,
    warn: ({ body }, { environment }) => warningOf(body.payerDocument, environment),
    work: ({ body }, tenant, remembering) =>
      body.paymentMethod === 'CARD'
        ? createCardCharge(parts, { tenant, order: body }, remembering)
        : createPixCharge(parts, { tenant, order: body }, remembering),
    show: createdAnswer,
  });
  serve(router, api.getCardConfig, {
    verifier,
    answer: async (_call, tenant) => {
      const { publicKey, tokenizeUrl } = acquirers(tenant);
      const merchant = await merchants.find(tenant.merchantId);
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
      const charge = found(await findCharge(database, merchant, params.id));
      return { data: await shownCharge(database, charge, checkoutUrl) };
    },
  });
  serve(router, api.cancelCharge, {
    verifier,
    answer: async ({ params }, merchant) => {
      await cancelCharge(parts, merchant, params.id);
      return { data: { message: 'the charge is cancelled' } };
    },
  });
  refundRoutes(router, parts);
  serveAnonymous(router, api.getCheckout, {
    verifier,
    answer: async ({ params }) => {
      const charge = found(await findPublicCharge(database, params.id));
      const link = charge.paymentLinkId === null ? null : await readLink(database, charge.paymentLinkId);
      const [look, strays, dispute] = await Promise.all([
        shopLook(parts, charge.merchantId, link),
        straysOf(database, charge.id),
        charge.status === 'DISPUTED' ? openDisputeOf(database, charge.id) : null,
      ]);
      const now = await merchantTime(database, parts.clock, charge);
      return { data: checkoutView(charge, { ...look, strays, dispute, now }) };
    },
  });
}

function refundRoutes(router: Router, parts: ChargeRoutes): void {
  const { verifier, database } = parts;

  serveOnce(router, api.refundCharge, {
    verifier,
    database,
    work: async ({ params, body }, tenant, remembering: Remembering<Refunded & { isDone?: boolean }>) => {
      const requested = await requestRefund(parts, { tenant, chargeId: params.id, ...body }, remembering);
      return advanceForCaller(parts, requested, remembering);
    },
    show: async ({ charge, refund, isDone = true }, db) => {
      if (isDone) return { data: refundedView(charge, refund) };
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

function found(charge: Charge | null): Charge {
  if (charge) return charge;
  throw noSuchCharge();
}
