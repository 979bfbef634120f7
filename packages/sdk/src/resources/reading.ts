import type { Methods } from '../methods.ts';

export type Refunds = ReturnType<typeof refundsOf>;
export type UnexpectedPayments = ReturnType<typeof unexpectedPaymentsOf>;
export type Quotes = ReturnType<typeof quotesOf>;
export type Reports = ReturnType<typeof reportsOf>;
export type Requests = ReturnType<typeof requestsOf>;

export const refundsOf = (to: Methods) => ({
  list: to.list('GET /v1/refunds'),
  listCsv: to.file('GET /v1/refunds', 'text/csv'),
  get: to.withId('GET /v1/refunds/:id'),
});

export const unexpectedPaymentsOf = (to: Methods) => ({
  list: to.list('GET /v1/unexpected-payments'),
  listCsv: to.file('GET /v1/unexpected-payments', 'text/csv'),
});

export const quotesOf = (to: Methods) => ({ create: to.withBody('POST /v1/quotes') });

export const reportsOf = (to: Methods) => ({
  volume: to.withQuery('GET /v1/reports/volume'),
  volumeCsv: to.file('GET /v1/reports/volume', 'text/csv'),
});

export const requestsOf = (to: Methods) => ({ list: to.list('GET /v1/requests') });
