import type { Methods } from '../methods.ts';

export type Webhooks = ReturnType<typeof webhooksOf>;
export type Deliveries = ReturnType<typeof deliveriesOf>;
export type Events = ReturnType<typeof eventsOf>;

export const webhooksOf = (to: Methods) => ({
  create: to.withBody('POST /v1/webhook-config', 'keyed'),
  list: to.list('GET /v1/webhook-config'),
  get: to.withId('GET /v1/webhook-config/:id'),
  update: to.withIdAndBody('PATCH /v1/webhook-config/:id'),
  delete: to.withId('DELETE /v1/webhook-config/:id'),
  rotateSecret: to.withIdAndBody('POST /v1/webhook-config/:id/rotate-secret', 'keyed'),
  test: to.withIdAndBody('POST /v1/webhook-config/:id/test', 'keyed'),
});

export const deliveriesOf = (to: Methods) => ({
  list: to.list('GET /v1/webhook-deliveries'),
  get: to.withId('GET /v1/webhook-deliveries/:id'),
});

export const eventsOf = (to: Methods) => ({
  list: to.list('GET /v1/events'),
  get: to.withId('GET /v1/events/:id'),
});
