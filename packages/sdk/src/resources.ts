import type { Methods } from './methods.ts';

export type Resources = ReturnType<typeof resourcesOf>;

/** Builds the resources of the SDK. The given methods either call their endpoints or only describe them. */
export const resourcesOf = (to: Methods) => ({
  charges: {
    create: to.withBody('POST /v1/charges', 'keyed'),
    list: to.list('GET /v1/charges'),
    listCsv: to.file('GET /v1/charges', 'text/csv'),
    get: to.withId('GET /v1/charges/:id'),
    timeline: to.withId('GET /v1/charges/:id/timeline'),
    cancel: to.withId('DELETE /v1/charges/:id'),
    refund: to.withIdAndBody('POST /v1/charges/:id/refund', 'keyed'),
    simulatePayment: to.withId('POST /v1/charges/:id/simulate-payment', 'keyed'),
    cardConfig: to.plain('GET /v1/charges/card-config'),
  },
  paymentLinks: {
    create: to.withBody('POST /v1/payment-links', 'keyed'),
    list: to.list('GET /v1/payment-links'),
    get: to.withId('GET /v1/payment-links/:id'),
    update: to.withIdAndBody('PATCH /v1/payment-links/:id'),
  },
  refunds: {
    list: to.list('GET /v1/refunds'),
    listCsv: to.file('GET /v1/refunds', 'text/csv'),
    get: to.withId('GET /v1/refunds/:id'),
  },
  disputes: {
    list: to.list('GET /v1/disputes'),
    listCsv: to.file('GET /v1/disputes', 'text/csv'),
    get: to.withId('GET /v1/disputes/:id'),
    sendEvidence: to.withIdAndBody('POST /v1/disputes/:id/evidence', 'keyed'),
  },
  files: {
    create: to.withBody('POST /v1/files', 'keyed'),
    get: to.withId('GET /v1/files/:id'),
    download: to.fileOfId('GET /v1/files/:id', 'application/octet-stream'),
    delete: to.withId('DELETE /v1/files/:id'),
  },
  unexpectedPayments: {
    list: to.list('GET /v1/unexpected-payments'),
    listCsv: to.file('GET /v1/unexpected-payments', 'text/csv'),
  },
  withdrawals: {
    create: to.withBody('POST /v1/withdrawals', 'keyed'),
    list: to.list('GET /v1/withdrawals'),
    listCsv: to.file('GET /v1/withdrawals', 'text/csv'),
    get: to.withId('GET /v1/withdrawals/:id'),
    cancel: to.withId('DELETE /v1/withdrawals/:id'),
    recipient: to.withQuery('GET /v1/withdrawals/recipient'),
    decodeQr: to.withBody('POST /v1/withdrawals/decode-qr'),
  },
  destinations: {
    create: to.withBody('POST /v1/destinations', 'keyed'),
    list: to.list('GET /v1/destinations'),
    get: to.withId('GET /v1/destinations/:id'),
    delete: to.withId('DELETE /v1/destinations/:id'),
  },
  quotes: { create: to.withBody('POST /v1/quotes') },
  wallet: {
    balance: to.withQuery('GET /v1/balance'),
    transactions: to.list('GET /v1/transactions'),
    transactionsCsv: to.file('GET /v1/transactions', 'text/csv'),
    statement: to.list('GET /v1/statement'),
    statementCsv: to.file('GET /v1/statement', 'text/csv'),
    statementOfx: to.file('GET /v1/statement', 'application/x-ofx'),
    summary: to.withQuery('GET /v1/statement/summary'),
    closings: to.withQuery('GET /v1/statement/closings'),
    closingsCsv: to.file('GET /v1/statement/closings', 'text/csv'),
    receivables: to.withQuery('GET /v1/receivables'),
    receivablesCsv: to.file('GET /v1/receivables', 'text/csv'),
    receivableItems: to.list('GET /v1/receivables/items'),
    receivableItemsCsv: to.file('GET /v1/receivables/items', 'text/csv'),
  },
  reports: {
    volume: to.withQuery('GET /v1/reports/volume'),
    volumeCsv: to.file('GET /v1/reports/volume', 'text/csv'),
  },
  webhooks: {
    create: to.withBody('POST /v1/webhook-config', 'keyed'),
    list: to.list('GET /v1/webhook-config'),
    get: to.withId('GET /v1/webhook-config/:id'),
    update: to.withIdAndBody('PATCH /v1/webhook-config/:id'),
    delete: to.withId('DELETE /v1/webhook-config/:id'),
    rotateSecret: to.withIdAndBody('POST /v1/webhook-config/:id/rotate-secret', 'keyed'),
    test: to.withIdAndBody('POST /v1/webhook-config/:id/test', 'keyed'),
    resendFailed: to.withIdAndBody('POST /v1/webhook-config/:id/resend', 'keyed'),
  },
  deliveries: {
    list: to.list('GET /v1/webhook-deliveries'),
    get: to.withId('GET /v1/webhook-deliveries/:id'),
    resend: to.withId('POST /v1/webhook-deliveries/:id/resend', 'keyed'),
  },
  events: {
    list: to.list('GET /v1/events'),
    get: to.withId('GET /v1/events/:id'),
  },
  requests: { list: to.list('GET /v1/requests') },
  sandbox: {
    charges: {
      pay: to.withIdAndBody('POST /v1/sandbox/charges/:id/pay', 'keyed'),
      dispute: to.withIdAndBody('POST /v1/sandbox/charges/:id/dispute', 'keyed'),
    },
    disputes: { resolve: to.withIdAndBody('POST /v1/sandbox/disputes/:id/resolve') },
    withdrawals: {
      approve: to.withId('POST /v1/sandbox/withdrawals/:id/approve'),
      reject: to.withIdAndBody('POST /v1/sandbox/withdrawals/:id/reject'),
      hold: to.withId('POST /v1/sandbox/withdrawals/:id/hold'),
      complete: to.withIdAndBody('POST /v1/sandbox/withdrawals/:id/complete'),
      fail: to.withIdAndBody('POST /v1/sandbox/withdrawals/:id/fail'),
    },
    provider: {
      get: to.plain('GET /v1/sandbox/provider'),
      set: to.withBody('POST /v1/sandbox/provider'),
    },
    clock: {
      get: to.plain('GET /v1/sandbox/clock'),
      move: to.withBody('POST /v1/sandbox/clock', 'keyed'),
    },
    webhookFaults: {
      create: to.withBody('POST /v1/sandbox/webhook-faults', 'keyed'),
      list: to.list('GET /v1/sandbox/webhook-faults'),
      delete: to.withId('DELETE /v1/sandbox/webhook-faults/:id'),
    },
  },
});
