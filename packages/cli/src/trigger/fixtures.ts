/**
 * A call of the API. `{{name.field}}` stands for a value of the command line or of an earlier step's answer.
 */
export interface Step {
  /** The name of the answer for later steps. */
  name?: string;
  call: string;
  body?: Record<string, unknown>;
  /** Codes of temporary refusals. The books, for example, follow a payment after a moment. */
  retryOn?: readonly string[];
}

export interface Fixture {
  event: string;
  steps: readonly Step[];
}

const newCharge = {
  amount: '{{amount}}',
  externalId: '{{externalId}}',
  payerName: 'Maria da Silva',
  payerDocument: '12345678909',
  description: 'plataforma trigger',
};
const create: Step = { name: 'charge', call: 'POST /v1/charges', body: newCharge };
const pay: Step = { call: 'POST /v1/charges/{{charge.id}}/simulate-payment' };
const dispute: Step = {
  name: 'dispute',
  call: 'POST /v1/sandbox/charges/{{charge.id}}/dispute',
  body: { reason: 'FRAUD' },
  retryOn: ['INVALID_STATE', 'REQUEST_IN_PROGRESS'],
};

/** A payment link for one use. `visit` is a buyer's checkout of it. */
const newLink: Step = {
  name: 'link',
  call: 'POST /v1/payment-links',
  body: { amount: '{{amount}}', description: 'plataforma trigger', uses: 1 },
};
const visit = (name: string, payerName: string, payerDocument: string): Step => ({
  name,
  call: 'POST /v1/payment-links/{{link.slug}}/checkouts',
  body: { payerName, payerDocument },
});
const payVisit: readonly Step[] = [
  visit('checkout', 'Maria da Silva', '12345678909'),
  { name: 'visit', call: 'POST /v1/checkouts/{{checkout.id}}/pix' },
  { call: 'POST /v1/charges/{{visit.charge.id}}/simulate-payment' },
];

/** A larger payment, which covers the withdrawal and the fees. */
const fund: readonly Step[] = [
  {
    name: 'funding',
    call: 'POST /v1/charges',
    body: { ...newCharge, amount: '{{funding}}', externalId: '{{externalId}}-funds' },
  },
  { call: 'POST /v1/charges/{{funding.id}}/simulate-payment' },
];
const retryOn = ['INSUFFICIENT_BALANCE'];

const refund = (amount: number | string): Step => ({
  call: 'POST /v1/charges/{{charge.id}}/refund',
  body: { amount, reason: 'plataforma trigger' },
  retryOn,
});

const withdraw = (pixKey: string): Step => ({
  name: 'withdrawal',
  call: 'POST /v1/withdrawals',
  body: { amount: '{{amount}}', pixKey, pixKeyType: 'EMAIL', externalId: '{{externalId}}' },
  retryOn,
});

/** A special amount of the sandbox bank, which accepts this return and refuses it ten seconds later. */
const REFUSED_LATER = 8_888;
const paidOut = [...fund, withdraw('maria@example.com')];

const steps = {
  'charge.created': [create],
  'charge.cancelled': [create, { call: 'DELETE /v1/charges/{{charge.id}}' }],
  'charge.paid': [create, pay],
  'charge.refunded': [create, pay, refund('{{charge.netAmount}}')],
  'charge.refund_failed': [
    { ...create, body: { ...newCharge, amount: REFUSED_LATER * 2 } },
    pay,
    refund(REFUSED_LATER),
  ],
  'checkout.completed': [newLink, ...payVisit],
  'checkout.expired': [newLink, visit('other', 'José Souza', '11144477735'), ...payVisit],
  'refund.created': [create, pay, refund('{{charge.netAmount}}')],
  'charge.expired': [{ ...create, body: { ...newCharge, expiresIn: 1 } }],
  'dispute.opened': [create, pay, dispute],
  'dispute.updated': [
    create,
    pay,
    dispute,
    { call: 'POST /v1/disputes/{{dispute.id}}/evidence', body: { description: 'plataforma trigger' } },
  ],
  'dispute.resolved': [
    create,
    pay,
    dispute,
    { call: 'POST /v1/sandbox/disputes/{{dispute.id}}/resolve', body: { outcome: 'MERCHANT' } },
  ],
  'payment.unexpected': [
    create,
    { call: 'POST /v1/sandbox/charges/{{charge.id}}/pay', body: { amount: '{{another}}' } },
  ],
  'withdrawal.created': paidOut,
  'withdrawal.approved': paidOut,
  'withdrawal.processing': paidOut,
  'withdrawal.completed': paidOut,
  'withdrawal.failed': [...fund, withdraw('fail@sandbox.test')],
  'withdrawal.rejected': [
    ...fund,
    withdraw('hold@sandbox.test'),
    {
      call: 'POST /v1/sandbox/withdrawals/{{withdrawal.id}}/reject',
      body: { reason: 'plataforma trigger' },
    },
  ],
} satisfies Record<string, readonly Step[]>;

/** Events of the time or of a failing receiver, which no call causes. */
const withoutCalls = ['receivable.settled', 'webhook.failing', 'api_key.expiring'];

export const fixtures: ReadonlyMap<string, Fixture> = new Map(
  Object.entries(steps).map(([event, each]) => [event, { event, steps: each }]),
);

export const eventTypes = [...fixtures.keys(), ...withoutCalls];

/** Live updates, which may be lost. The platform sends them only to webhooks that name them. */
export const liveUpdates = [
  'charge.created',
  'charge.cancelled',
  'withdrawal.created',
  'withdrawal.approved',
];
