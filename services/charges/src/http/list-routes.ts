import {
  api,
  type RefundQuery,
  refundColumns,
  unexpectedPaymentColumns,
  type VolumeQuery,
  type VolumeView,
  volumeColumns,
} from '@plataforma/contracts';
import { readPages, type Slice } from '@plataforma/data';
import { type MerchantIdentity, pageOf, type Router, serve, serveCsv } from '@plataforma/http';
import type { Tenant } from '@plataforma/kernel';
import { merchantTime } from '@plataforma/service';
import type { ChargesDependencies } from '../dependencies.ts';
import { noSuchCharge } from '../domain/charge-refusals.ts';
import { noSuchRefund } from '../domain/refund.ts';
import { approvalRate, hoursOf } from '../domain/volume.ts';
import { getCharge } from '../store/own-charges.ts';
import { findRefund, listRefunds, listUnmatchedPayments } from '../store/own-lists.ts';
import { readVolumes, type Volume } from '../store/volumes.ts';
import { refundView } from './charge-view.ts';
import { ownTimelineView } from './own-timeline-view.ts';
import { withReadableName, withReadableNames } from './readable-names.ts';
import { readChargeHistory } from './timeline-view.ts';
import { unexpectedPaymentView } from './views.ts';
import { refundsWait } from './waiting.ts';

export function listRoutes(router: Router, dependencies: ChargesDependencies): void {
  const { verifier, database, reads, clock } = dependencies;
  serve(router, api.readChargeTimeline, {
    verifier,
    answer: async ({ params }, merchant) => {
      const { id } = await getCharge(database, merchant, params.id);
      const records = await readChargeHistory(database, id);
      if (!records) throw noSuchCharge();
      const waits = await refundsWait(database, records.charge, records.refunds);
      return {
        data: ownTimelineView(records, { now: await merchantTime(database, clock, merchant), waits }),
      };
    },
  });
  const refundsOf = async (merchant: MerchantIdentity, query: RefundQuery & Slice) =>
    withReadableNames(await listRefunds(reads, merchant, query), merchant);
  serveCsv(router, api.listRefunds, {
    verifier,
    columns: refundColumns,
    name: 'refunds',
    batches: (query, merchant) => readPages((slice) => refundsOf(merchant, { ...query, ...slice })),
    rowOf: refundView,
  });
  serve(router, api.listRefunds, {
    verifier,
    answer: async ({ query }, merchant) => pageOf(await refundsOf(merchant, query), query, refundView),
  });
  serve(router, api.getRefund, {
    verifier,
    answer: async ({ params }, merchant) => {
      const refund = await findRefund(database, merchant, params.id);
      if (!refund) throw noSuchRefund();
      return { data: refundView(withReadableName(refund, merchant)) };
    },
  });
  serveCsv(router, api.listUnexpectedPayments, {
    verifier,
    columns: unexpectedPaymentColumns,
    name: 'unexpected-payments',
    batches: (query, merchant) =>
      readPages((slice) => listUnmatchedPayments(reads, merchant, { ...query, ...slice })),
    rowOf: unexpectedPaymentView,
  });
  serve(router, api.listUnexpectedPayments, {
    verifier,
    answer: async ({ query }, merchant) =>
      pageOf(await listUnmatchedPayments(reads, merchant, query), query, unexpectedPaymentView),
  });
  volumeRoutes(router, dependencies);
}

function volumeRoutes(router: Router, { verifier, reads, clock }: ChargesDependencies): void {
  const volumesOf = async (query: VolumeQuery, merchant: Tenant) => {
    const hours = hoursOf(query, await merchantTime(reads, clock, merchant));
    const { interval, timeZone } = query;
    return (await readVolumes(reads, merchant, { interval, timeZone, ...hours })).map(volumeView);
  };
  serveCsv(router, api.readVolume, {
    verifier,
    columns: volumeColumns,
    name: 'volume',
    async *batches(query, merchant) {
      yield await volumesOf(query, merchant);
    },
    rowOf: (volume) => volume,
  });
  serve(router, api.readVolume, {
    verifier,
    answer: async ({ query }, merchant) => {
      const { interval, timeZone } = query;
      return { data: { timeZone, interval, volumes: await volumesOf(query, merchant) } };
    },
  });
}

function volumeView(volume: Volume): VolumeView {
  const { paymentMethod, paid, declined, gross, fees } = volume;
  return {
    startsAt: volume.startsAt.toISOString(),
    paymentMethod,
    count: paid,
    grossAmount: gross,
    feeAmount: fees,
    netAmount: gross - fees,
    refundedAmount: volume.refunded,
    disputedAmount: volume.disputed,
    declinedCount: declined,
    approvalRate: paymentMethod === 'CARD' ? approvalRate({ paid, declined }) : null,
  };
}
