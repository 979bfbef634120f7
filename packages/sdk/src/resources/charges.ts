import type { Methods } from '../methods.ts';

export type Charges = ReturnType<typeof chargesOf>;

export const chargesOf = (to: Methods) => ({
  create: to.withBody('POST /v1/charges', 'keyed'),
  list: to.list('GET /v1/charges'),
  listCsv: to.file('GET /v1/charges', 'text/csv'),
  get: to.withId('GET /v1/charges/:id'),
  timeline: to.withId('GET /v1/charges/:id/timeline'),
  cancel: to.withId('DELETE /v1/charges/:id'),
  refund: to.withIdAndBody('POST /v1/charges/:id/refund', 'keyed'),
  simulatePayment: to.withId('POST /v1/charges/:id/simulate-payment', 'keyed'),
  cardConfig: to.plain('GET /v1/charges/card-config'),
});
