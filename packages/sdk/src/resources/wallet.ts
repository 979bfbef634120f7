import type { Methods } from '../methods.ts';

export type Wallet = ReturnType<typeof walletOf>;

export const walletOf = (to: Methods) => ({
  balance: to.withQuery('GET /v1/balance'),
  transactions: to.list('GET /v1/transactions'),
  transactionsCsv: to.file('GET /v1/transactions', 'text/csv'),
  statement: to.list('GET /v1/statement'),
  statementCsv: to.file('GET /v1/statement', 'text/csv'),
  statementOfx: to.file('GET /v1/statement', 'application/x-ofx'),
  closings: to.withQuery('GET /v1/statement/closings'),
  closingsCsv: to.file('GET /v1/statement/closings', 'text/csv'),
  receivables: to.withQuery('GET /v1/receivables'),
  receivablesCsv: to.file('GET /v1/receivables', 'text/csv'),
  receivableItems: to.list('GET /v1/receivables/items'),
  receivableItemsCsv: to.file('GET /v1/receivables/items', 'text/csv'),
});
