import type { Methods } from '../methods.ts';

export type Withdrawals = ReturnType<typeof withdrawalsOf>;
export type Destinations = ReturnType<typeof destinationsOf>;

export const withdrawalsOf = (to: Methods) => ({
  create: to.withBody('POST /v1/withdrawals', 'keyed'),
  list: to.list('GET /v1/withdrawals'),
  listCsv: to.file('GET /v1/withdrawals', 'text/csv'),
  get: to.withId('GET /v1/withdrawals/:id'),
  cancel: to.withId('DELETE /v1/withdrawals/:id'),
  decodeQr: to.withBody('POST /v1/withdrawals/decode-qr'),
});

export const destinationsOf = (to: Methods) => ({
  create: to.withBody('POST /v1/destinations', 'keyed'),
  list: to.list('GET /v1/destinations'),
  get: to.withId('GET /v1/destinations/:id'),
  delete: to.withId('DELETE /v1/destinations/:id'),
});
