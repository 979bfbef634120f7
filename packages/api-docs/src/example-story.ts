import { CARD_CHARGE, exampleId } from '@plataforma/contracts/example-ids';

const payer = { payerName: 'Maria da Silva' };
const pix = { chargeId: exampleId('Charge'), paymentMethod: 'PIX', externalId: 'order-1001', ...payer };
const firstPix = {
  ...{ ...pix, chargeId: exampleId('FirstCharge'), externalId: 'order-1000' },
  endToEndId: 'E12345678202611211000kL4mN7pQ0rS',
};
const card = {
  ...{ chargeId: CARD_CHARGE, paymentMethod: 'CARD', externalId: 'order-1002' },
  ...{ nsu: '000123456', authorizationCode: 'A1B2C3', ...payer },
};
const withdrawal = {
  withdrawalId: exampleId('Withdrawal'),
  externalId: 'folha-1001',
  payeeName: 'Maria Souza',
  endToEndId: 'E12345678202611211530aB3dE6fG9hJ',
};
const ofPix = { endToEndId: 'E12345678202611211200aB3dE6fG9hJ' };
const ofReturn = { endToEndId: 'D12345678202611211320aB3dE6fG9hJ', refundId: exampleId('Refund') };
const nextMonth = { settlesAt: '2026-12-21T03:00:00.000Z' };

/** A row of the statement: its time, type, amount in cents, description and other fields. */
type Entry = [string, string, number, string, Readonly<Record<string, unknown>>];

/** Returns the two rows of a payment: the payment and its fee, which have the same time. */
const paid = (time: string, charge: string, [amount, fee]: [number, number], of: Entry[4]): Entry[] => [
  [time, 'CREDIT', amount, charge, of],
  [time, 'FEE', -fee, `Fee of ${charge}`, of],
];

const dispute = { id: exampleId('Dispute'), outcome: null, resolvedAt: null };
const payout = `Pix withdrawal ${exampleId('Withdrawal')}`;

/** All rows of the example merchant's statement, oldest first. */
const entries: readonly Entry[] = [
  ...paid('10:00:12', 'Pix charge order-1000', [120_000, 1200], { ...firstPix, settlesAt: at('10:00:12') }),
  ...paid('11:00:05', 'Card charge order-1002', [30_000, 1087], { ...card, ...nextMonth }),
  ...paid('12:00:31', 'Pix charge order-1001', [2500, 25], { ...pix, ...ofPix, settlesAt: at('12:00:31') }),
  ['13:20:00', 'REFUND', -2475, 'Refund of Pix charge order-1001', { ...pix, ...ofReturn }],
  ['14:05:00', 'DISPUTE_RESERVE', -4000, `Reserved for dispute ${dispute.id}`, { ...card, dispute }],
  ['15:30:00', 'WITHDRAWAL', -14_900, payout, withdrawal],
  ['15:30:00', 'FEE', -100, `Fee of ${payout}`, withdrawal],
];

function at(time: string): string {
  return `2026-11-21T${time}.000Z`;
}

const ofNothing = {
  ...{ chargeId: null, withdrawalId: null, paymentMethod: null, externalId: null, endToEndId: null },
  ...{ nsu: null, authorizationCode: null, refundId: null, settlesAt: null, dispute: null, movement: null },
  ...{ payerName: null, payeeName: null },
};
const balanceAfter = (index: number) =>
  entries.slice(0, index + 1).reduce((sum, [, , cents]) => sum + cents, 0);
const rows = entries.map(([time, type, amount, description, of], index) => ({
  ...ofNothing,
  ...{ id: exampleId(`WalletTransaction${index}`), type, amount, description, ...of },
  ...{ createdAt: at(time), occurredAt: at(time), balanceAfter: balanceAfter(index) },
}));
const closingBalance = balanceAfter(entries.length - 1);
const list = { total: rows.length, page: 1, limit: 20, pages: 1, timeZone: 'America/Sao_Paulo' };
const endOfDay = '2026-11-22T03:00:00.000Z';

/** The example responses that show the example merchant's statement and balances at the end of the day. */
export const story = {
  'listTransactions 200': { data: rows.toReversed(), meta: list },
  'getStatement 200': { data: rows.toReversed(), meta: { ...list, openingBalance: 0, closingBalance } },
  'listClosings 200': {
    data: {
      timeZone: 'America/Sao_Paulo',
      closings: [{ date: '2026-11-21', endsAt: endOfDay, closingBalance }],
    },
  },
  'summarizeStatement 200': {
    data: {
      ...{ timeZone: 'America/Sao_Paulo', startsAt: '2026-11-21T03:00:00.000Z', endsAt: endOfDay },
      ...{ isOver: true, openingBalance: 0, netAmount: 143_713, closingBalance },
      movements: [
        { type: 'PAYMENT', paymentMethod: 'PIX', count: 2, amount: 122_500 },
        { type: 'PAYMENT', paymentMethod: 'CARD', count: 1, amount: 30_000 },
        { type: 'FEE', paymentMethod: 'PIX', count: 2, amount: -1225 },
        { type: 'FEE', paymentMethod: 'CARD', count: 1, amount: -1087 },
        { type: 'REFUND', paymentMethod: 'PIX', count: 1, amount: -2475 },
        { type: 'DISPUTE', paymentMethod: 'CARD', count: 1, amount: -4000 },
        { type: 'WITHDRAWAL', paymentMethod: null, count: 1, amount: -14_900 },
        { type: 'WITHDRAWAL_FEE', paymentMethod: null, count: 1, amount: -100 },
      ],
    },
  },
  Balance: {
    ...{ availableBalance: 103_800, withdrawableBalance: 103_800, disputeDebt: 0, pendingBalance: 24_913 },
    ...{ reservedBalance: 4000, blockedBalance: 0 },
    ...{ totalEarned: 152_500, totalWithdrawn: 14_900, totalFeesPaid: 2412 },
    breakdown: {
      PIX: { availableBalance: 103_800, pendingBalance: 0 },
      CARD: { availableBalance: 0, pendingBalance: 24_913 },
      BOLETO: { availableBalance: 0, pendingBalance: 0 },
    },
  },
  'listReceivables 200': {
    data: {
      timeZone: 'America/Sao_Paulo',
      totalAmount: 24_913,
      days: [{ date: '2026-12-21', paymentMethod: 'CARD', count: 1, amount: 24_913 }],
    },
  },
  'listReceivableItems 200': {
    data: [
      {
        ...{ chargeId: CARD_CHARGE, paymentMethod: 'CARD', amount: 24_913, originalAmount: 28_913 },
        ...{ ...nextMonth, status: 'PENDING', settledAt: null },
        ...{ externalId: 'order-1002', nsu: '000123456', authorizationCode: 'A1B2C3' },
      },
    ],
    meta: { ...list, total: 1 },
  },
  'readVolume 200': {
    data: {
      ...{ timeZone: 'America/Sao_Paulo', interval: 'hour' },
      volumes: [
        {
          ...{ startsAt: at('12:00:00'), paymentMethod: 'PIX', count: 1 },
          ...{ grossAmount: 2500, feeAmount: 25, netAmount: 2475, refundedAmount: 2475, disputedAmount: 0 },
          ...{ declinedCount: 0, approvalRate: null },
        },
      ],
    },
  },
} as const;
