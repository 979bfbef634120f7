import type { Methods } from '../methods.ts';

export type PaymentLinks = ReturnType<typeof paymentLinksOf>;

export const paymentLinksOf = (to: Methods) => ({
  create: to.withBody('POST /v1/payment-links', 'keyed'),
  list: to.list('GET /v1/payment-links'),
  get: to.withId('GET /v1/payment-links/:id'),
  update: to.withIdAndBody('PATCH /v1/payment-links/:id'),
});
