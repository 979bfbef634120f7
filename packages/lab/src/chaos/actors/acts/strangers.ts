import type { Client, ClientRequest, Thing } from '../client.ts';
import { fixed } from '../credentials.ts';
import { headersOfKey, type Merchant } from '../merchants.ts';
import type { Act, ActContext } from './act.ts';

/** Actions that the platform must refuse. The checker reports each of them that succeeded. */
type Trespass = 'read-anothers' | 'change-anothers' | 'act-as-operator' | 'overstep-role';

type Change = Pick<ClientRequest, 'method' | 'body'> & { under?: string };

interface Belongings {
  /** The path of the list that contains the owner's items. */
  list: string;
  action: string;
  isRead: boolean;
  changes: readonly Change[];
}

const reason = 'não é meu';
const defense = { description: reason, documents: ['https://loja.test/recibo.pdf'] };

const belongings: readonly Belongings[] = [
  {
    ...{ list: '/v1/charges?limit=20', action: 'list-charges', isRead: true },
    changes: [{ method: 'DELETE' }, { method: 'POST', under: '/refund', body: { reason } }],
  },
  { list: '/v1/withdrawals?limit=20', action: 'list-withdrawals', isRead: true, changes: [] },
  {
    ...{ list: '/v1/disputes?limit=20', action: 'list-disputes', isRead: true },
    changes: [{ method: 'POST', under: '/evidence', body: defense }],
  },
  {
    ...{ list: '/v1/destinations?limit=20', action: 'list-destinations', isRead: true },
    changes: [{ method: 'DELETE' }],
  },
  {
    ...{ list: '/v1/webhook-config', action: 'list-webhooks', isRead: false },
    changes: [
      { method: 'PATCH', body: { isActive: false } },
      { method: 'POST', under: '/rotate-secret', body: {} },
      { method: 'POST', under: '/test' },
      { method: 'DELETE' },
    ],
  },
  { list: '/v1/webhook-deliveries?limit=20', action: 'list-deliveries', isRead: true, changes: [] },
  { list: '/v1/events?limit=20', action: 'list-events', isRead: true, changes: [] },
];

function trespass(
  { dice }: ActContext,
  by: Client,
  request: { action: Trespass } & Pick<ClientRequest, 'method' | 'path' | 'body'>,
) {
  return by.ask({ ...request, intent: dice.uuid(), again: 'as it is' });
}

interface Owner {
  merchant: Merchant;
  api: Client;
}

/**
 * Chooses one item of each of the owner's lists. Tries to read and to change this item by its id, as another
 * caller.
 */
async function meddle(context: ActContext, { merchant, api }: Owner): Promise<void> {
  const shares = belongings.map(() => context.dice.next());
  for (const [index, { list: path, action, isRead, changes }] of belongings.entries()) {
    const { list } = await api.read(action, path);
    const found = list.filter(({ id }) => !merchant.untouched.has(String(id)));
    const thing = found[Math.floor((shares[index] ?? 0) * found.length)];
    if (!thing) continue;
    const one = `${path.split('?')[0]}/${thing.id}`;
    if (isRead) await trespass(context, context.api, { action: 'read-anothers', method: 'GET', path: one });
    for (const { under = '', ...change } of changes) {
      await trespass(context, context.api, { action: 'change-anothers', ...change, path: one + under });
    }
  }
}

/**
 * Tries to use the resources and API keys of another merchant, and to withdraw to that merchant's
 * destination.
 */
async function meddleWithOthers(context: ActContext): Promise<void> {
  const { merchant, stranger, environment } = context;
  const action = 'change-anothers';
  const key = `/v1/api-keys/${stranger.keys[environment].current().id}`;
  await meddle(context, { merchant: stranger, api: stranger.api[environment] });
  await trespass(context, merchant.dashboard, { action, method: 'POST', path: `${key}/rotate`, body: {} });
  await trespass(context, merchant.dashboard, { action, method: 'DELETE', path: key });
  const { list } = await stranger.api[environment].read('list-destinations', '/v1/destinations?limit=1');
  if (!list[0]) return;
  const body = { destinationId: list[0].id, amount: 100 };
  await trespass(context, context.api, { action, method: 'POST', path: '/v1/withdrawals', body });
}

/** Tries to use the merchant's own resources of one environment with a key of the other. */
async function meddleElsewhere(context: ActContext): Promise<void> {
  const { merchant, environment } = context;
  const elsewhere = environment === 'sandbox' ? 'production' : 'sandbox';
  await meddle(context, { merchant, api: merchant.api[elsewhere] });
}

/**
 * A merchant sends requests of operators: to approve its own withdrawal, to credit its wallet, to change its
 * fee. An operator tries to set a fee without the role for that.
 */
async function playOperator(context: ActContext): Promise<void> {
  const { api, merchant, environment, operators, dice } = context;
  const intruder = api.as(fixed(headersOfKey(merchant.keys[environment].current())));
  const settings = `/v1/admin/merchants/${merchant.id}/settings`;
  const credit = {
    id: dice.uuid(),
    merchantId: merchant.id,
    environment,
    amount: 999_999,
    description: 'acerto',
  };
  const { list } = await api.read('list-withdrawals', '/v1/withdrawals?limit=1');
  const attempts: readonly { method: ClientRequest['method']; path: string; body?: Thing }[] = [
    { method: 'POST', path: '/v1/admin/ledger/adjustments', body: credit },
    { method: 'PATCH', path: settings, body: { withdrawalFee: 0 } },
    ...list.map(({ id }) => ({ method: 'POST', path: `/v1/admin/withdrawals/${id}/approve` }) as const),
  ];
  for (const each of attempts) await trespass(context, intruder, { action: 'act-as-operator', ...each });
  const change = { method: 'PATCH', path: settings, body: { pixFeeBps: 0 } } as const;
  await trespass(context, operators[1], { action: 'overstep-role', ...change });
}

export const strangers: readonly Act[] = [
  { name: 'meddle with others', weight: 1, play: meddleWithOthers },
  { name: 'meddle with the other environment', weight: 1, play: meddleElsewhere },
  { name: 'play the operator', weight: 1, play: playOperator },
];
