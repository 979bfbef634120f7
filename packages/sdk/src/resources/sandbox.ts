import type { Methods } from '../methods.ts';

export type Sandbox = ReturnType<typeof sandboxOf>;

export const sandboxOf = (to: Methods) => ({
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
});
