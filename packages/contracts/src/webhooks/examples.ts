import type { z } from 'zod';
import type { WebhookEventType, webhookEvents } from './events.ts';

type Example = {
  [E in WebhookEventType]: {
    event: E;
    data: z.infer<(typeof webhookEvents)[E]>;
    timestamp: string;
    eventId: string;
    sequence: number;
  };
}[WebhookEventType];

const charge = {
  id: '01930a6e-4b7c-7d21-9f53-2f1c8a6d4e01',
  txid: '7d41c2b09e5f4a6c8b13d2e7f0a9c654',
  amount: 2500,
  netAmount: 2475,
  feeAmount: 25,
  externalId: 'order-1001',
  metadata: { loja: 'matriz' },
};

const dispute = {
  id: '01930b12-9c40-7a35-8e17-5d0b3c9f7a02',
  chargeId: charge.id,
  amount: 2500,
  reason: 'FRAUD',
  description: 'O pagador não reconhece a compra.',
  deadline: '2026-11-28T14:05:00.000Z',
  createdAt: '2026-11-21T14:05:00.000Z',
};

const withdrawal = {
  id: '01930c77-1d58-7e09-b2a4-8f6e1d3c5b03',
  amount: 15_000,
  fee: 100,
  netAmount: 14_900,
  pixKey: 'maria@exemplo.com.br',
  pixKeyType: 'EMAIL',
  bankAccount: null,
  externalId: 'folha-1001',
  createdAt: '2026-11-21T15:30:00.000Z',
};

/** What each event may look like as it is posted. */
export const webhookExamples: readonly Example[] = [
  {
    event: 'charge.created',
    data: {
      ...charge,
      status: 'PENDING',
      paidAt: null,
      expiresAt: '2026-11-21T13:00:00.000Z',
      createdAt: '2026-11-21T12:00:00.000Z',
    },
    timestamp: '2026-11-21T12:00:00.000Z',
    eventId: '01930e11-5c2d-7b6f-8a40-1e9d4c7b0012',
    sequence: 0,
  },
  {
    event: 'charge.cancelled',
    data: { ...charge, status: 'CANCELLED', paidAt: null },
    timestamp: '2026-11-21T12:10:00.000Z',
    eventId: '01930e11-5c2d-7b6f-8a40-1e9d4c7b0013',
    sequence: 1,
  },
  {
    event: 'charge.paid',
    data: { ...charge, status: 'PAID', paidAt: '2026-11-21T12:00:31.000Z' },
    timestamp: '2026-11-21T12:00:31.000Z',
    eventId: '01930e11-5c2d-7b6f-8a40-1e9d4c7b0001',
    sequence: 1,
  },
  {
    event: 'charge.refunded',
    data: {
      ...charge,
      status: 'REFUNDED',
      paidAt: '2026-11-21T12:00:31.000Z',
      refundedAmount: 2475,
      refundReason: 'Produto em falta',
    },
    timestamp: '2026-11-21T13:20:00.000Z',
    eventId: '01930e11-5c2d-7b6f-8a40-1e9d4c7b0002',
    sequence: 2,
  },
  {
    event: 'charge.refund_failed',
    data: {
      ...charge,
      status: 'PAID',
      paidAt: '2026-11-21T12:00:31.000Z',
      refund: {
        id: '0199e2a5-17d0-7aa4-8c21-6e0b5f3a9d42',
        amount: 2475,
        reason: 'Produto em falta',
        status: 'FAILED',
        requestedAt: '2026-11-21T13:20:00.000Z',
        failedAt: '2026-11-21T13:24:10.000Z',
        failureReason: 'refused_by_provider',
      },
    },
    timestamp: '2026-11-21T13:24:10.000Z',
    eventId: '01930e11-5c2d-7b6f-8a40-1e9d4c7b0003',
    sequence: 3,
  },
  {
    event: 'charge.expired',
    data: { ...charge, status: 'EXPIRED', paidAt: null },
    timestamp: '2026-11-21T13:00:00.000Z',
    eventId: '01930e11-5c2d-7b6f-8a40-1e9d4c7b0004',
    sequence: 1,
  },
  {
    event: 'dispute.opened',
    data: { ...dispute, status: 'OPEN' },
    timestamp: dispute.createdAt,
    eventId: '01930e11-5c2d-7b6f-8a40-1e9d4c7b0005',
    sequence: 1,
  },
  {
    event: 'dispute.resolved',
    data: {
      ...dispute,
      status: 'RESOLVED_MERCHANT',
      resolvedAt: '2026-11-24T09:12:00.000Z',
      resolution: 'A entrega foi provada.',
    },
    timestamp: '2026-11-24T09:12:00.000Z',
    eventId: '01930e11-5c2d-7b6f-8a40-1e9d4c7b0006',
    sequence: 2,
  },
  {
    event: 'payment.unexpected',
    data: {
      id: '01930b44-3e0a-7b19-9d51-4c7f0a2e6b11',
      chargeId: charge.id,
      txid: charge.txid,
      endToEndId: 'E12345678202611211310aB3dE6fG9hJ',
      amount: 2500,
      cause: 'LATE',
      status: 'RETURNING',
      paidAt: '2026-11-21T13:10:05.000Z',
      returnedAt: null,
    },
    timestamp: '2026-11-21T13:10:06.000Z',
    eventId: '01930e11-5c2d-7b6f-8a40-1e9d4c7b0011',
    sequence: 1,
  },
  {
    event: 'withdrawal.created',
    data: { ...withdrawal, status: 'PENDING', providerTxId: null },
    timestamp: withdrawal.createdAt,
    eventId: '01930e11-5c2d-7b6f-8a40-1e9d4c7b0014',
    sequence: 0,
  },
  {
    event: 'withdrawal.approved',
    data: { ...withdrawal, status: 'APPROVED', providerTxId: null },
    timestamp: '2026-11-21T15:30:01.000Z',
    eventId: '01930e11-5c2d-7b6f-8a40-1e9d4c7b0015',
    sequence: 1,
  },
  {
    event: 'withdrawal.completed',
    data: { ...withdrawal, status: 'COMPLETED', providerTxId: 'E12345678202611211530aB3dE6fG9hJ' },
    timestamp: '2026-11-21T15:30:02.000Z',
    eventId: '01930e11-5c2d-7b6f-8a40-1e9d4c7b0007',
    sequence: 2,
  },
  {
    event: 'withdrawal.failed',
    data: { ...withdrawal, status: 'FAILED', providerTxId: null, failureReason: 'account_closed' },
    timestamp: '2026-11-21T15:30:02.000Z',
    eventId: '01930e11-5c2d-7b6f-8a40-1e9d4c7b0008',
    sequence: 1,
  },
  {
    event: 'withdrawal.rejected',
    data: {
      ...withdrawal,
      status: 'REJECTED',
      providerTxId: null,
      rejectedAt: '2026-11-21T16:45:00.000Z',
      rejectedReason: 'Titular divergente',
    },
    timestamp: '2026-11-21T16:45:00.000Z',
    eventId: '01930e11-5c2d-7b6f-8a40-1e9d4c7b0009',
    sequence: 1,
  },
  {
    event: 'webhook.test',
    data: { id: '01930d05-6a9b-7c4e-a1d8-3b7f2e5c9d04', message: 'A test of your webhook.', isTest: true },
    timestamp: '2026-11-21T12:00:00.000Z',
    eventId: '01930e11-5c2d-7b6f-8a40-1e9d4c7b0010',
    sequence: 4,
  },
];
