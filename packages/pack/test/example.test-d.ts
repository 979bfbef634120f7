/**
 * `pnpm types` compiles this file against the SDK's sources, and a test compiles it against the packed SDK.
 * Both must have the same types.
 */
import {
  ApiError,
  CardDeclinedError,
  ConnectionError,
  type ErrorCode,
  type Page,
  Plataforma,
  TimeoutError,
} from '@plataforma/sdk';
import { expressWebhook, verifyWebhook, type WebhookEvent, webhookHandler } from '@plataforma/sdk/webhooks';

const plataforma = new Plataforma({ apiKey: 'key', baseUrl: 'https://api.example', maxRetries: 1 });
const order = { amount: 2500, externalId: 'order-1001', payerName: 'Maria', payerDocument: '12345678909' };
const id = '0193a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b';

export async function goodCalls(): Promise<void> {
  const charge = await plataforma.charges.create(order, { idempotencyKey: 'order-1001' });
  const status: 'PENDING' | 'PAID' | 'EXPIRED' | 'CANCELLED' | 'REFUNDED' | 'DISPUTED' = charge.status;
  const paidAt: string | null = charge.paidAt;
  await plataforma.charges.create({ ...order, paymentMethod: 'CARD', cardToken: 'token', installments: 3 });
  for await (const each of plataforma.charges.list({ status: 'PAID', limit: 50 })) void each.amount.toFixed();
  const page: Page<{ amount: number }> = await plataforma.charges.list().page(2);
  const { total, next }: { total: number; next?: string | undefined } = page.meta;
  const csv: string = await plataforma.charges.listCsv({ status: 'PAID' }).text();
  const ofx: Uint8Array = await plataforma.wallet.statementOfx().bytes();
  const refund = await plataforma.charges.refund(id);
  const { id: refundId, status: refundStatus } = refund.refund;
  if (refundStatus === 'PROCESSING') void (await plataforma.refunds.get(refundId)).status;
  await plataforma.charges.refund(id, { amount: 1000 }, { timeoutMs: 1000 });
  await plataforma.files.create({
    ...{ purpose: 'dispute_evidence', disputeId: id },
    file: new File(['%PDF-1.7'], 'nota.pdf'),
  });
  await plataforma.withdrawals.create({
    amount: 15_000,
    pixKey: 'maria@exemplo.com.br',
    pixKeyType: 'EMAIL',
  });
  await plataforma.sandbox.clock.move({ advance: 'P3D' });
  await plataforma.sandbox.charges.pay(id);
  await plataforma.sandbox.webhookFaults.list().page();
  const { availableBalance } = await plataforma.wallet.balance();
  void [status, paidAt, total, next, csv, ofx, availableBalance.toFixed()];
}

export async function badCalls(): Promise<void> {
  // @ts-expect-error: an amount is a number
  await plataforma.charges.create({ ...order, amount: '25.00' });
  // @ts-expect-error: a charge has a body
  await plataforma.charges.create();
  // @ts-expect-error: there is no such status
  plataforma.charges.list({ status: 'SETTLED' });
  // @ts-expect-error: a file is not read page by page
  plataforma.charges.listCsv({ page: 2 });
  // @ts-expect-error: a read is done as often as it is asked for
  await plataforma.charges.get(id, { idempotencyKey: 'a-key' });
  // @ts-expect-error: an id is needed
  await plataforma.charges.get();
  // @ts-expect-error: nothing is said with an approval
  await plataforma.sandbox.withdrawals.approve(id, { reason: 'mine' });
  // @ts-expect-error: a card charge has a token
  await plataforma.charges.create({ ...order, paymentMethod: 'CARD' });
  // @ts-expect-error: only with a session of the dashboard
  plataforma.apiKeys;
}

export function errors(error: unknown): ErrorCode | string | null {
  if (error instanceof CardDeclinedError) return error.reason;
  if (error instanceof TimeoutError) return error.message;
  if (error instanceof ConnectionError) return error.idempotencyKey;
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'INSUFFICIENT_BALANCE') return error.requestId;
  return error.field;
}

export async function webhooks(body: string, headers: Headers): Promise<WebhookEvent> {
  const event = await verifyWebhook(body, headers, ['old', 'new']);
  if (event.event === 'charge.paid') void event.data.externalId.trim();
  if (event.event === 'withdrawal.failed') void event.data.failureReason.trim();
  // @ts-expect-error: there is no such event
  if (event.event === 'charge.settled') throw new Error();
  const on = { 'dispute.opened': ({ data }: { data: { deadline: string } }) => data.deadline };
  const answer: Response = await webhookHandler({ secret: 'a', on })(new Request('https://loja.example'));
  expressWebhook({ secret: 'a', on: { 'charge.refunded': ({ data }) => data.refundedAmount.toFixed() } });
  await verifyWebhook(body, headers, { secret: 'a', scheme: 'standard', toleranceSeconds: 60 });
  // @ts-expect-error: the age of a delivery is not signed
  await verifyWebhook(body, headers, { secret: 'a', scheme: 'v1', toleranceSeconds: 60 });
  // @ts-expect-error: one header has no signature of the scheme standard
  await verifyWebhook(body, 'sha256=', { secret: 'a', scheme: 'standard' });
  // @ts-expect-error: there is no such event
  expressWebhook({ secret: 'a', on: { 'charge.settled': () => undefined } });
  void answer.status;
  return event;
}
