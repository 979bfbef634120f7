import type { Client, Thing } from '../client.ts';
import { fixed } from '../credentials.ts';
import { type Act, type ActContext, given } from './act.ts';
import { sell } from './selling.ts';

const lists = {
  'read-balance': '/v1/balance',
  'list-transactions': '/v1/transactions?limit=50',
  'list-statement': '/v1/statement?limit=50',
  'list-charges': '/v1/charges?limit=50',
  'list-paid-charges': '/v1/charges?status=PAID&limit=50',
  'list-withdrawals': '/v1/withdrawals?limit=50',
  'list-destinations': '/v1/destinations?limit=50',
  'list-disputes': '/v1/disputes?limit=50',
  'list-webhooks': '/v1/webhook-config',
  'list-deliveries': '/v1/webhook-deliveries?limit=50',
  'list-events': '/v1/events?limit=50',
};

async function readLists({ api, dice }: ActContext): Promise<void> {
  const chosen = Object.entries(lists).filter(() => dice.oneIn(3));
  await Promise.all(chosen.map(([action, path]) => api.read(action, path)));
}

/** The name of the action that reads one item, by the name of the action that lists such items. */
const closer = new Map([
  ['list-charges', 'read-charge'],
  ['list-withdrawals', 'read-withdrawal'],
  ['list-destinations', 'read-destination'],
  ['list-disputes', 'read-dispute'],
  ['list-deliveries', 'read-delivery'],
  ['list-events', 'read-event'],
]);

async function readItems({ api, dice }: ActContext): Promise<void> {
  for (const [listing, path] of Object.entries(lists)) {
    const reading = closer.get(listing);
    if (!reading) continue;
    const share = dice.next();
    const { list } = await api.read(listing, path);
    const found = list[Math.floor(share * list.length)];
    if (found) await api.read(reading, `${path.split('?')[0]}/${found.id}`);
  }
}

const audits = [
  '/v1/admin/charges?limit=20',
  '/v1/admin/refunds?limit=20',
  '/v1/admin/unexpected-payments?limit=20',
  '/v1/admin/payout-alarms?limit=20',
  '/v1/admin/ledger/trial-balance?environment=sandbox',
  '/v1/admin/webhooks/endpoints?limit=20',
];

async function readAudits({ operators, dice }: ActContext): Promise<void> {
  for (const path of audits.filter(() => dice.oneIn(2))) await operators[0].read('look-after-all', path);
}

async function paint({ merchant, dice }: ActContext): Promise<void> {
  const body = { checkoutColor: dice.pick(['#1f6feb', '#0f766e', '#b91c1c']) };
  const request = { action: 'change-account', method: 'PATCH', path: '/v1/account', body } as const;
  await merchant.dashboard.ask({ ...request, intent: dice.uuid(), again: 'as it is' });
}

async function changeSettings({ merchant, operators, dice }: ActContext): Promise<void> {
  const path = `/v1/admin/merchants/${merchant.id}/settings`;
  const changes = [
    { pixFeeBps: dice.int(0, 200) },
    { cardFeeFixed: dice.int(0, 50) },
    { withdrawalFee: dice.int(0, 150) },
    { autoApproveLimit: dice.int(0, 5_000) },
    { settlementDays: dice.int(0, 30) },
  ];
  const request = { action: 'change-settings', method: 'PATCH', path, body: dice.pick(changes) } as const;
  await operators[0].ask({ ...request, intent: dice.uuid(), again: 'as it is' });
}

type Booking = { action: string; path: string; body: Thing };

/**
 * Sends an operator's request that changes a wallet. A retry is safe for ever if the body contains an id, but
 * only for one day with an Idempotency-Key.
 */
function book({ merchant, environment, dice }: ActContext, operator: Client, { body, ...request }: Booking) {
  const intent = dice.uuid();
  const again = dice.oneIn(2) ? 'by key' : 'as it is';
  const named = again === 'as it is' ? { ...body, id: intent } : body;
  const whole = { ...named, merchantId: merchant.id, environment };
  return operator.ask({ ...request, method: 'POST', body: whole, intent, again });
}

async function adjust(context: ActContext): Promise<void> {
  const amount = context.dice.int(1, 500) * context.dice.pick([1, -1]);
  const body = { amount, description: 'acerto' };
  const action = 'adjust-wallet';
  await book(context, context.operators[1], { action, path: '/v1/admin/ledger/adjustments', body });
}

async function block(context: ActContext): Promise<void> {
  const [first, second] = context.operators;
  const body = { amount: context.dice.int(100, 2_000), reason: 'ordem judicial' };
  given(await book(context, first, { action: 'block-money', path: '/v1/admin/ledger/blocks', body }));
  await book(context, second, { action: 'unblock-money', path: '/v1/admin/ledger/unblocks', body });
}

/** Reads a checkout page without credentials, as a buyer does. */
async function showCheckout(context: ActContext): Promise<void> {
  const { id } = await sell(context);
  await context.api.as(fixed()).read('read-checkout', `/v1/charges/${id}/checkout`);
}

export const desk: readonly Act[] = [
  { name: 'look', weight: 5, play: readLists },
  { name: 'look closer', weight: 1, play: readItems },
  { name: 'look after all', weight: 1, play: readAudits },
  { name: 'show a checkout', weight: 1, play: showCheckout },
  { name: 'change the account', weight: 1, play: paint },
  { name: 'change settings', weight: 2, play: changeSettings },
  { name: 'adjust a wallet', weight: 2, play: adjust },
  { name: 'block and unblock', weight: 1, play: block },
];
