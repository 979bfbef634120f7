import type { api, PathParamsOf } from '@plataforma/contracts';
import type { Call } from '../src/client/index.ts';

/** The compiler checks this file: each line below an expectation must fail. */
declare const call: Call;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function expectType<_Holds extends true>(): void;

type IsLiteral<Path extends string> = Path extends `${infer First}${infer Rest}`
  ? string extends First
    ? false
    : IsLiteral<Rest>
  : Path extends ''
    ? true
    : false;
type Wide = {
  [Name in keyof typeof api]: IsLiteral<(typeof api)[Name]['path']> extends true ? never : Name;
}[keyof typeof api];
expectType<Same<Wide, never>>();
expectType<Same<PathParamsOf<'/v1/charges'>, Record<never, string>>>();
expectType<Same<PathParamsOf<'/v1/a/:first/b/:second'>, { first: string; second: string }>>();

const order = { amount: 2500, externalId: 'order-1001', payerName: 'Maria', payerDocument: '12345678909' };
const id = '0193a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b';

export async function goodCalls() {
  await call('GET /v1/balance');
  await call('GET /v1/balance', { query: { at: '2026-11-21T12:00:00Z' } });
  await call('POST /v1/auth/logout');
  await call('POST /v1/charges', { body: order });
  await call('POST /v1/charges', { body: { ...order, paymentMethod: 'CARD', cardToken: 'token' } });
  await call('POST /v1/charges', { body: order, idempotencyKey: 'a-key' });
  await call('POST /v1/charges/:id/refund', { params: { id } });
  await call('POST /v1/charges/:id/refund', { params: { id }, body: { amount: 1000 } });
  await call('GET /v1/charges', { query: { page: 2, limit: '50', status: 'PAID', startDate: '2026-11-21' } });
  await call('GET /v1/transactions', { query: { minAmount: 100, maxAmount: '200' } });
  await call('POST /v1/admin/withdrawals/alarms/:id/settle', { params: { id }, body: { note: 'paid' } });
  await call('POST /v1/admin/ledger/dead-letters/:id/replay', { params: { id } });
  await call('GET /v1/admin/webhooks/audit-log/verify', { query: { limit: 10 } });
}

export async function badCalls() {
  // @ts-expect-error: no endpoint has this path
  await call('GET /v1/charge');
  // @ts-expect-error: the path does not take this method
  await call('PATCH /v1/charges/:id', { params: { id } });
  // @ts-expect-error: the path has a parameter
  await call('GET /v1/charges/:id');
  // @ts-expect-error: the parameter has another name
  await call('GET /v1/charges/:id', { params: { chargeId: id } });
  // @ts-expect-error: the path has no parameter
  await call('GET /v1/charges', { params: { id } });
  // @ts-expect-error: a page is a number or its digits
  await call('GET /v1/charges', { query: { page: true } });
  // @ts-expect-error: there is no such status
  await call('GET /v1/charges', { query: { status: 'SETTLED' } });
  // @ts-expect-error: the query has no such parameter
  await call('GET /v1/charges', { query: { pages: 2 } });
  // @ts-expect-error: the endpoint takes no query
  await call('GET /v1/charges/:id', { params: { id }, query: { page: 1 } });
  // @ts-expect-error: an amount is integer cents
  await call('POST /v1/charges', { body: { ...order, amount: '25.00' } });
  // @ts-expect-error: a charge has a body
  await call('POST /v1/charges', {});
  // @ts-expect-error: a card charge has a token
  await call('POST /v1/charges', { body: { ...order, paymentMethod: 'CARD' } });
  // @ts-expect-error: a read takes no body
  await call('GET /v1/charges/:id', { params: { id }, body: {} });
  // @ts-expect-error: a read is done as often as it is asked for
  await call('GET /v1/charges', { idempotencyKey: 'a-key' });
  // @ts-expect-error: a log-out takes no body
  await call('POST /v1/auth/logout', { body: { everywhere: true } });
}

export async function answers() {
  const charge = await call('GET /v1/charges/:id', { params: { id } });
  expectType<Same<typeof charge.amount, number>>();
  expectType<Same<typeof charge.paidAt, string | null>>();
  // @ts-expect-error: the statuses are known
  charge.status === 'SETTLED';
  // @ts-expect-error: a charge has no such field
  charge.settledAt;

  const page = await call('GET /v1/charges');
  expectType<Same<typeof page.meta.total, number>>();
  // @ts-expect-error: a list is without the codes
  page.data[0]?.qrCode;

  const refund = await call('POST /v1/charges/:id/refund', { params: { id } });
  expectType<Same<typeof refund.refund.id, string>>();
  expectType<Same<typeof refund.refund.status, 'PROCESSING' | 'REFUNDED'>>();
  // @ts-expect-error: the refund may be under way
  refund.refundedAt;
  if ('refundedAt' in refund) expectType<Same<typeof refund.refundedAt, string>>();
}
