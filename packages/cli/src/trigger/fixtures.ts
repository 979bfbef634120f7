/**
 * One call of the API. A placeholder `{{name.field}}` is replaced by a value from the command line or from
 * the response of an earlier step.
 */
export interface Step {
  /** The name under which later steps refer to this step's response. */
  name?: string;
  call: string;
  body?: Record<string, unknown>;
  /**
   * Error codes after which the step is retried. A balance, for example, increases only a moment after the
   * payment.
   */
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

/** Creates a payment link that one buyer can use. The step `visit` starts that buyer's checkout. */
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

/** Receives a payment that is large enough for the withdrawal and the fees. */
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

/**
 * An amount in cents for which the sandbox bank first accepts a return of money and refuses it ten seconds
 * later.
 */
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

/** Events that no API call causes: they happen when a time is reached or when a webhook keeps failing. */
const withoutCalls = ['receivable.settled', 'webhook.failing', 'api_key.expiring'];

export const fixtures: ReadonlyMap<string, Fixture> = new Map(
  Object.entries(steps).map(([event, each]) => [event, { event, steps: each }]),
);

export const eventTypes = [...fixtures.keys(), ...withoutCalls];

/**
 * Live updates are events that may be lost. The platform sends them only to webhooks that subscribe to them
 * by name.
 */
export const liveUpdates = [
  'charge.created',
  'charge.cancelled',
  'withdrawal.created',
  'withdrawal.approved',
];
