import type { Methods } from '../methods.ts';

export type Wallet = ReturnType<typeof walletOf>;

export const walletOf = (to: Methods) => ({
  balance: to.withQuery('GET /v1/balance'),
  transactions: to.list('GET /v1/transactions'),
  statement: to.list('GET /v1/statement'),
  statementCsv: to.file('GET /v1/statement', 'text/csv'),
  statementOfx: to.file('GET /v1/statement', 'application/x-ofx'),
  closings: to.withQuery('GET /v1/statement/closings'),
  receivables: to.withQuery('GET /v1/receivables'),
  receivableItems: to.list('GET /v1/receivables/items'),
});
