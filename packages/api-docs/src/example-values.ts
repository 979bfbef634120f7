import { CARD_CHARGE, exampleId } from '@plataforma/contracts/example-ids';
import type { Values } from './example-fields.ts';
import { story } from './example-story.ts';

/** The fields of a withdrawal that was paid by TED to a bank account. */
const paidByTed = {
  ...{
    id: exampleId('TedWithdrawal'),
    method: 'TED',
    externalId: 'folha-1002',
    pixKey: null,
    pixKeyType: null,
  },
  ...{ destinationId: exampleId('BankDestination'), providerTxId: 'TED-20261123-000123' },
  bankAccount: {
    ...{ bankCode: '341', branch: '0001', account: '123456-7', accountType: 'CHECKING' },
    ...{ holderName: 'Maria da Silva', holderDocument: '12345678909' },
  },
  createdAt: '2026-11-23T12:00:00.000Z',
  completedAt: '2026-11-23T15:00:00.000Z',
};
const notPaidOut = { completedAt: null, providerTxId: null, payeeName: null, payeeDocument: null };
const rejected = {
  ...{ ...notPaidOut, id: exampleId('RejectedWithdrawal'), externalId: 'folha-1003', status: 'REJECTED' },
  ...{ rejectedAt: '2026-11-21T15:30:01.000Z', rejectedReason: 'O favorecido não confere com o contrato.' },
};
const cameBack = {
  ...{ ...paidByTed, ...notPaidOut, id: exampleId('FailedWithdrawal'), externalId: 'folha-1004' },
  ...{ status: 'FAILED', failedAt: '2026-11-23T15:00:00.000Z', failureReason: 'account_not_found' },
  failureDetail: 'Conta inexistente no banco de destino.',
};
const refunded = {
  ...{ id: exampleId('Refund'), amount: 2475, reason: 'Produto em falta', status: 'REFUNDED' },
  endToEndId: 'D12345678202611211320aB3dE6fG9hJ',
  ...{ requestedAt: '2026-11-21T13:19:58.000Z', refundedAt: '2026-11-21T13:20:00.000Z', failureReason: null },
};

/**
 * Example values of fields, by component or response. Values of one component are consistent. `undefined`
 * omits a field. The values of `Charge` also apply to variants such as `AdminCharge`.
 */
export const viewExamples: Readonly<Record<string, Values>> = {
  'every view': { environment: 'sandbox' },
  ...story,
  Quote: {
    ...{ amount: 15_000, netAmount: 14_900, debit: 15_000, balanceAfter: 103_800 },
    ...{ stoppedBy: [], approvalsNeeded: 0, payableFrom: null, settlesAt: null },
  },
  Meta: {
    total: 1,
    page: 1,
    limit: 20,
    pages: 1,
    timeZone: undefined,
    openingBalance: undefined,
    closingBalance: undefined,
    sums: undefined,
    totalIsCapped: undefined,
    next: undefined,
  },
  Account: {
    status: 'APPROVED',
    fees: { PIX: { bps: 100, fixed: 0 }, CARD: { bps: 349, fixed: 40 } },
    limits: {
      ...{ maxInstallments: 12, autoApproveLimit: 100_000 },
      ...{ dailyWithdrawalLimit: 5_000_000, destinationCooldownHours: 24, newPayeesPerDay: 10 },
      sandbox: { dailyWithdrawalLimit: 5_000_000, destinationCooldownHours: 24 },
      today: {
        ...{ day: '2026-11-21', until: '2026-11-22T03:00:00.000Z' },
        production: { ordered: 0, left: 5_000_000 },
        sandbox: {
          ...{ ordered: 15_000, left: 4_985_000 },
          ...{ day: '2026-11-21', until: '2026-11-22T03:00:00.000Z' },
        },
      },
    },
  },
  ApiKey: { maskedKey: 'sk_sandbox_********i2Hg', expiresAt: null, revokedAt: null, replacedBy: null },
  Charge: {
    status: 'PAID',
    paidAt: '2026-11-21T12:00:31.000Z',
    settlesAt: '2026-11-21T12:00:31.000Z',
    expiresAt: '2026-11-21T13:00:00.000Z',
    ...{ installments: null, cardBrand: null, cardLastDigits: null },
    ...{ nsu: null, authorizationCode: null, acquirerId: null },
    ...{ refundedAmount: null, refundedAt: null, refundReason: null },
    ...{ paymentLinkId: null, checkoutId: null, disputeId: null },
    ...{ refunds: [], disputes: [], unexpectedPayments: [] },
  },
  'createCharge 201 Charge': { status: 'PENDING', paidAt: null, settlesAt: null, endToEndId: null },
  'createWithdrawal 201 Withdrawal': { ...notPaidOut, status: 'PENDING' },
  'cancelWithdrawal 200 Withdrawal': {
    ...{ ...rejected, id: exampleId('CancelledWithdrawal'), externalId: 'folha-1001' },
    rejectedReason: 'cancelled by the merchant',
  },
  'resolveSandboxDispute 200 Dispute': {
    ...{ status: 'RESOLVED_MERCHANT', resolvedAt: '2026-11-24T09:12:00.000Z', debt: 0 },
    resolution: 'A entrega foi provada.',
  },
  Checkout: {
    ...{ paidAt: null, endToEndId: null, unexpectedPayments: [] },
    expiresAt: '2026-11-21T13:00:00.000Z',
    refundedAmount: null,
    refundedAt: null,
    disputedAmount: null,
    disputedAt: null,
  },
  PaymentLink: {
    slug: 'q7Xk2mVnQ2pLw7Yt',
    ...{ description: 'Pedido 1003', externalId: 'order-1003', expiresAt: null, payments: 0 },
    ...{ minAmount: null, maxAmount: null, uses: 1, usesTaken: 0, externalIdPrefix: null },
    ...{ payerName: null, payerDocument: null, checkoutColor: null, color: null, logo: null },
  },
  PaymentLinkPage: {
    ...{ slug: 'q7Xk2mVnQ2pLw7Yt', description: 'Pedido 1003', isPayerKnown: false },
    ...{ minAmount: null, maxAmount: null, expiresAt: null },
  },
  CheckoutVisit: {
    ...{ slug: 'q7Xk2mVnQ2pLw7Yt', description: 'Pedido 1003', charge: null },
    cardFormUntil: null,
    unexpectedPayments: [],
  },
  ChargeTimeline: { status: 'PAID', waitingFor: null },
  ChargeStep: { objectId: null, reason: null, endToEndId: null },
  Refund: refunded,
  AdminRefund: { status: 'DONE' },
  'refundCharge 200': {
    ...{ id: exampleId('Charge'), status: 'REFUNDED', refundedAt: refunded.refundedAt, refund: refunded },
  },
  'refundCharge 202': {
    ...{ id: exampleId('Charge'), status: 'PAID' },
    refund: {
      ...{ id: refunded.id, status: 'PROCESSING', amount: refunded.amount },
      ...{ requestedAt: refunded.requestedAt, waitingFor: null },
    },
  },
  'paySandboxCharge 200': { id: exampleId('Charge') },
  'simulatePayment 200': { id: exampleId('Charge'), status: 'PAID', paidAt: '2026-11-21T12:00:31.000Z' },
  Dispute: {
    ...{ chargeId: CARD_CHARGE, amount: 4000, externalId: 'order-1002', paymentMethod: 'CARD' },
    ...{ createdAt: '2026-11-21T14:05:00.000Z', deadline: '2026-11-28T14:05:00.000Z' },
    ...{ refundedAmount: 0, debt: null, evidence: null, resolvedAt: null },
    description: 'O pagador não reconhece a compra.',
  },
  UnexpectedPayment: {
    ...{ status: 'RETURNED', endToEndId: 'E12345678202611211310aB3dE6fG9hJ' },
    returnEndToEndId: 'D12345678202611211311kL4mN7pQ0rS',
    ...{ paidAt: '2026-11-21T13:10:05.000Z', returnedAt: '2026-11-21T13:11:00.000Z' },
  },
  DecodedQr: { pixKey: '123e4567-e12b-12d1-a456-426655440000', pixKeyType: 'EVP', amount: 0, txid: '***' },
  Withdrawal: {
    amount: 15_000,
    netAmount: 14_900,
    pixKeyType: 'EMAIL',
    bankAccount: null,
    status: 'COMPLETED',
    destinationId: null,
    externalId: 'folha-1001',
    ...{ createdAt: '2026-11-21T15:30:00.000Z', startedAt: '2026-11-21T15:30:01.500Z' },
    completedAt: '2026-11-21T15:30:02.000Z',
    ...{ failureReason: null, failureDetail: null, failedAt: null, rejectedAt: null },
    ...{ waitingFor: null, payableFrom: null, nextCheckAt: null, alarms: [] },
  },
  'completeWithdrawal 200 AdminWithdrawal': { ...paidByTed, startedAt: '2026-11-23T12:00:01.000Z' },
  'completeSandboxWithdrawal 200 Withdrawal': paidByTed,
  'approveWithdrawal 200 AdminWithdrawal': { ...notPaidOut, status: 'APPROVED', startedAt: null },
  'approveSandboxWithdrawal 200 Withdrawal': { ...notPaidOut, status: 'APPROVED' },
  'holdSandboxWithdrawal 200 Withdrawal': { ...notPaidOut, status: 'PENDING' },
  'rejectWithdrawal 200 AdminWithdrawal': { ...rejected, startedAt: null },
  'rejectSandboxWithdrawal 200 Withdrawal': rejected,
  'failWithdrawal 200 AdminWithdrawal': { ...cameBack, startedAt: '2026-11-23T12:00:01.000Z' },
  'failSandboxWithdrawal 200 Withdrawal': cameBack,
  PixDestination: { id: exampleId('Destination'), pixKeyType: 'PHONE', pixKey: '+5511987654321' },
  LoggedRequest: { method: 'POST', parameters: [] },
  WebhookDelivery: { status: 'SUCCEEDED', nextAttemptAt: null },
  WebhookAttempt: { error: null, fault: null },
  WebhookFault: { count: 1, left: 1 },
  WebhookEndpointHealth: { oldestWaitingSince: null, lastError: null },
  DeadLetter: { reason: 'rejected', replayedAt: null },
  ReplayedDeadLetter: { replayedAt: '2026-11-21T12:00:00.000Z' },
  ChainKeeper: { lastSequence: 1 },
  AuditAnchor: {
    ...{ service: 'ledger', epoch: 1, anchoredSequence: 1 },
    ...{ unanchoredSince: null, reason: null, begunBy: null },
  },
  TrialBalance: { amount: 0 },
  Alarm: { settledAt: null, settledBy: null, note: null, settlingProposedBy: null },
  Stop: {
    ...{ provider: 'payout', merchantId: null, reason: 'incidente 42' },
    ...{ startedBy: [], startedAt: null },
  },
  Proposal: {
    ...{ service: 'ledger', action: 'wallet.adjustment', amount: 250_000, status: 'PROPOSED' },
    effect:
      `Give R$ 2,500.00 to the merchant ${exampleId('Merchant')} in sandbox, with the description ` +
      '“Tarifa de novembro devolvida” in the statement.',
    ...{ environment: 'sandbox', reason: 'Tarifa de novembro devolvida' },
    ...{ subjectId: exampleId('LedgerAdjustment'), expiresAt: '2026-11-22T12:00:00.000Z' },
    ...{ decidedAt: null, decidedBy: null, decisionReason: null },
  },
  Operator: { email: 'financeiro@plataforma.example', role: 'FINANCE' },
  OwnOperator: { email: 'financeiro@plataforma.example', role: 'FINANCE', singleOperator: false },
  'blockMoney 201 LedgerBlock': { amount: 150_000, reason: 'Ordem judicial 0001234-56' },
  'unblockMoney 201 LedgerBlock': {
    ...{ id: exampleId('LedgerUnblock'), amount: 50_000, reason: 'Ordem judicial revista' },
  },
  LedgerAdjustment: { description: 'Tarifa de novembro devolvida' },
};
