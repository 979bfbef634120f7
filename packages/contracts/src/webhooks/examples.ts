import { CARD_CHARGE, exampleId } from '../example-ids.ts';
import type { WebhookData } from './events.ts';
import type { WebhookEvent, WebhookEventType, WebhookPost } from './post.ts';

const charge = {
  id: exampleId('Charge'),
  txid: '7d41c2b09e5f4a6c8b13d2e7f0a9c654',
  amount: 2500,
  netAmount: 2475,
  feeAmount: 25,
  externalId: 'order-1001',
  metadata: { loja: 'matriz', vendedor: '17' },
  paymentMethod: 'PIX',
  endToEndId: 'E12345678202611211200aB3dE6fG9hJ',
  installments: null,
  cardBrand: null,
  nsu: null,
  authorizationCode: null,
  acquirerId: null,
} as const;

const unpaid = { ...charge, endToEndId: null };

const dispute = {
  id: exampleId('Dispute'),
  chargeId: CARD_CHARGE,
  externalId: 'order-1002',
  metadata: {},
  paymentMethod: 'CARD',
  endToEndId: null,
  installments: 3,
  cardBrand: 'visa',
  nsu: '000123456',
  authorizationCode: 'A1B2C3',
  acquirerId: 'ch_Q0aLzWbT8bSPxNrK',
  amount: 4000,
  reason: 'FRAUD',
  description: 'O pagador não reconhece a compra.',
  deadline: '2026-11-28T14:05:00.000Z',
  createdAt: '2026-11-21T14:05:00.000Z',
} as const;

const withdrawal = {
  id: exampleId('Withdrawal'),
  amount: 15_000,
  fee: 100,
  netAmount: 14_900,
  pixKey: 'maria@exemplo.com.br',
  pixKeyType: 'EMAIL',
  bankAccount: null,
  externalId: 'folha-1001',
  method: 'PIX',
  createdAt: '2026-11-21T15:30:00.000Z',
} as const;

const checkout = {
  id: exampleId('checkoutId'),
  paymentLinkId: exampleId('paymentLinkId'),
  slug: 'q7Xk2mVnQ2pLw7Yt',
  amount: 2500,
  externalId: 'order-1003',
} as const;

/**
 * The time at which the event was sent, the last four digits of its id, and its sequence number for its
 * object.
 */
type Sent = [at: string, number: string, sequence: number];

function posted<E extends WebhookEventType>(event: E, sent: Sent, data: WebhookData[E]): WebhookPost<E> {
  const [timestamp, number, sequence] = sent;
  return { event, data, timestamp, eventId: `01930e11-5c2d-7b6f-8a40-1e9d4c7b${number}`, sequence };
}

export const webhookExamples: readonly WebhookEvent[] = [
  posted('charge.created', ['2026-11-21T12:00:00.000Z', '0012', 0], {
    ...unpaid,
    status: 'PENDING',
    paidAt: null,
    expiresAt: '2026-11-21T13:00:00.000Z',
    createdAt: '2026-11-21T12:00:00.000Z',
  }),
  posted('charge.cancelled', ['2026-11-21T12:10:00.000Z', '0013', 1], {
    ...unpaid,
    status: 'CANCELLED',
    paidAt: null,
  }),
  posted('charge.paid', ['2026-11-21T12:00:31.000Z', '0001', 1], {
    ...charge,
    status: 'PAID',
    paidAt: '2026-11-21T12:00:31.000Z',
  }),
  posted('checkout.completed', ['2026-11-21T12:40:12.000Z', '0022', 1], {
    ...checkout,
    ...{ status: 'COMPLETED', chargeId: exampleId('LinkCharge'), paymentMethod: 'PIX' },
    ...{ metadata: {}, paidAt: '2026-11-21T12:40:12.000Z' },
  }),
  posted('checkout.expired', ['2026-11-22T12:38:50.000Z', '0023', 1], {
    ...checkout,
    ...{ status: 'EXPIRED', cause: 'TIME_OVER', chargeId: null, expiredAt: '2026-11-22T12:38:50.000Z' },
  }),
  posted('refund.created', ['2026-11-21T13:19:58.000Z', '0019', 1], {
    ...{
      id: exampleId('Refund'),
      chargeId: charge.id,
      status: 'PROCESSING',
      paymentMethod: 'PIX',
      amount: 2475,
      reason: 'Produto em falta',
    },
    ...{ externalId: charge.externalId, metadata: charge.metadata },
    requestedAt: '2026-11-21T13:19:58.000Z',
  }),
  posted('charge.refunded', ['2026-11-21T13:20:00.000Z', '0002', 2], {
    ...charge,
    status: 'REFUNDED',
    paidAt: '2026-11-21T12:00:31.000Z',
    refundedAmount: 2475,
    refundReason: 'Produto em falta',
    refund: {
      id: exampleId('Refund'),
      amount: 2475,
      reason: 'Produto em falta',
      status: 'REFUNDED',
      requestedAt: '2026-11-21T13:19:58.000Z',
      refundedAt: '2026-11-21T13:20:00.000Z',
      endToEndId: 'D12345678202611211320aB3dE6fG9hJ',
    },
  }),
  posted('charge.refund_failed', ['2026-11-21T13:24:10.000Z', '0003', 3], {
    ...charge,
    status: 'PAID',
    paidAt: '2026-11-21T12:00:31.000Z',
    refund: {
      id: exampleId('Refund'),
      amount: 2475,
      reason: 'Produto em falta',
      status: 'FAILED',
      requestedAt: '2026-11-21T13:19:58.000Z',
      failedAt: '2026-11-21T13:24:10.000Z',
      failureReason: 'refused_by_provider',
    },
  }),
  posted('charge.expired', ['2026-11-21T13:00:00.000Z', '0004', 1], {
    ...unpaid,
    status: 'EXPIRED',
    paidAt: null,
  }),
  posted('dispute.opened', [dispute.createdAt, '0005', 1], { ...dispute, status: 'OPEN' }),
  posted('dispute.updated', ['2026-11-22T10:30:00.000Z', '0017', 2], {
    ...dispute,
    status: 'UNDER_REVIEW',
    evidenceSentAt: '2026-11-22T10:30:00.000Z',
  }),
  posted('dispute.resolved', ['2026-11-24T09:12:00.000Z', '0006', 3], {
    ...dispute,
    status: 'RESOLVED_MERCHANT',
    resolvedAt: '2026-11-24T09:12:00.000Z',
    resolution: 'A entrega foi provada.',
    refundedAmount: 0,
    debt: 0,
  }),
  posted('payment.unexpected', ['2026-11-21T13:10:06.000Z', '0011', 1], {
    id: exampleId('UnexpectedPayment'),
    chargeId: charge.id,
    txid: charge.txid,
    endToEndId: 'E12345678202611211310aB3dE6fG9hJ',
    returnEndToEndId: null,
    amount: 2500,
    cause: 'LATE',
    status: 'RETURNING',
    paidAt: '2026-11-21T13:10:05.000Z',
    returnedAt: null,
  }),
  posted('withdrawal.created', [withdrawal.createdAt, '0014', 0], {
    ...withdrawal,
    status: 'PENDING',
    providerTxId: null,
  }),
  posted('withdrawal.approved', ['2026-11-21T15:30:01.000Z', '0015', 1], {
    ...withdrawal,
    status: 'APPROVED',
    providerTxId: null,
  }),
  posted('withdrawal.processing', ['2026-11-21T15:30:01.500Z', '0018', 2], {
    ...withdrawal,
    status: 'PROCESSING',
    providerTxId: null,
    startedAt: '2026-11-21T15:30:01.500Z',
  }),
  posted('withdrawal.completed', ['2026-11-21T15:30:02.000Z', '0007', 3], {
    ...withdrawal,
    status: 'COMPLETED',
    providerTxId: 'E12345678202611211530aB3dE6fG9hJ',
    endToEndId: 'E12345678202611211530aB3dE6fG9hJ',
  }),
  posted('withdrawal.failed', ['2026-11-21T15:30:02.000Z', '0008', 1], {
    ...withdrawal,
    status: 'FAILED',
    providerTxId: null,
    failureReason: 'account_closed',
  }),
  posted('withdrawal.rejected', ['2026-11-21T16:45:00.000Z', '0009', 1], {
    ...withdrawal,
    status: 'REJECTED',
    providerTxId: null,
    rejectedAt: '2026-11-21T16:45:00.000Z',
    rejectedReason: 'Titular divergente',
  }),
  posted('receivable.settled', ['2026-12-22T03:00:05.000Z', '0016', 1], {
    ...{ id: '01930e11-9a1e-7d0c-8b52-5f3a6c2e1d07', date: '2026-12-21' },
    ...{ timeZone: 'America/Sao_Paulo', paymentMethod: 'CARD', count: 1, amount: 28_913 },
  }),
  posted('webhook.failing', ['2026-11-21T12:00:32.000Z', '0020', 1], {
    ...{ id: exampleId('Webhook'), webhookId: exampleId('Webhook') },
    ...{ url: 'https://loja.example/webhooks/plataforma', since: '2026-11-21T12:00:31.100Z' },
    ...{ failuresInARow: 1, lastError: 'HTTP 503' },
  }),
  posted('api_key.expiring', ['2026-12-21T03:00:20.000Z', '0021', 1], {
    ...{ id: exampleId('ApiKey'), name: 'loja', maskedKey: 'sk_sandbox_********i2Hg' },
    ...{ scopes: ['charges:write', 'charges:read'], expiresAt: '2026-12-28T03:00:00.000Z' },
  }),
  posted('webhook.test', ['2026-11-21T12:00:00.000Z', '0010', 4], {
    id: '01930d05-6a9b-7c4e-a1d8-3b7f2e5c9d04',
    message: 'A test of your webhook.',
    isTest: true,
  }),
];
