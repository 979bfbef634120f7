import { cnpjOf, eventually } from '@plataforma/testing';
import { changeRows } from '@plataforma/testing/insiders';
import { given } from '../actors/acts/act.ts';
import type { Thing } from '../actors/client.ts';
import { fixed } from '../actors/credentials.ts';
import { type Attempt, type AttemptContext, order, proposeAlone } from './attempt.ts';
import { LONG_WAIT } from './rows.ts';

function createOperator(context: AttemptContext): Promise<string[]> {
  const { admin, puppet } = context.cast;
  const body = {
    email: `${context.dice.uuid()}@plataforma.test`,
    password: 'uma senha bem longa',
    role: 'ADMIN',
  };
  return proposeAlone(context, {
    ...{ by: admin.client, accomplices: [puppet.client], what: 'created an operator' },
    request: { method: 'POST', path: '/v1/admin/operators', body },
  });
}

const settings = (what: string, body: Thing): Attempt => ({
  name: what,
  play(context) {
    const { admin, puppet, merchants } = context.cast;
    const path = `/v1/admin/merchants/${merchants.victim.id}/settings`;
    return proposeAlone(context, {
      ...{ by: admin.client, accomplices: [puppet.client], what },
      request: { method: 'PATCH', path, body },
    });
  },
});

/** Registers and approves an own merchant. It must have the limits of new merchants, and an audit row. */
async function openProduction(context: AttemptContext): Promise<string[]> {
  const { admin, nobody } = context.cast;
  const { dice } = context;
  const login = { email: `${dice.uuid()}@loja.test`, password: 'uma senha comprida' };
  const cnpj = cnpjOf(dice.int(200_000_000_000, 999_999_999_999));
  const body = { ...login, companyName: 'Loja do operador', cnpj, phone: '11987654321' };
  const registering = { action: 'register', method: 'POST', path: '/v1/auth/register', body } as const;
  const session = given(await nobody.ask({ ...registering, intent: login.email, again: 'never' }));
  const account = nobody.as(fixed({ authorization: `Bearer ${session.accessToken}` }));
  const own = given(await account.read('read-account', '/v1/account'));
  given(
    await order(context, admin.client, {
      ...{ method: 'POST', path: `/v1/admin/merchants/${own.id}/approve` },
    }),
  );
  const log = `/v1/admin/gateway/audit-log?subjectId=${own.id}&limit=10`;
  const { list, isDone } = await context.cast.honest.client.read('list-audit-log', log);
  const isNamed = list.some((row) => row.action === 'merchant.approve' && row.operatorId === admin.id);
  const widened = await proposeAlone(context, {
    ...{ by: admin.client, what: 'widened the limits of an own merchant' },
    request: {
      ...{ method: 'PATCH', path: `/v1/admin/merchants/${own.id}/settings` },
      body: { dailyWithdrawalLimit: null, newPayeesPerDay: null },
    },
  });
  return isDone && !isNamed ? [...widened, 'no audit row names the ADMIN who approved a merchant'] : widened;
}

/** Deactivates all other operators. The run reactivates them, because no other operator can do so. */
async function deactivateAll(context: AttemptContext): Promise<string[]> {
  const { admin, merchants, honest } = context.cast;
  const { list } = await admin.client.read('list-operators', '/v1/admin/operators?limit=100');
  const others = list.filter(({ id, isActive }) => isActive && id !== admin.id).map(({ id }) => String(id));
  const harm: string[] = [];
  try {
    for (const id of others) {
      const path = `/v1/admin/operators/${id}`;
      await order(context, admin.client, { method: 'PATCH', path, body: { isActive: false } });
    }
    const body = {
      merchantId: merchants.own.id,
      environment: 'production',
      amount: 700,
      description: 'acerto',
    };
    const request = { method: 'POST', path: '/v1/admin/ledger/adjustments', body } as const;
    const answer = await order(context, admin.client, request);
    if (answer.isDone && answer.status !== 202) harm.push('the last ADMIN adjusted a wallet alone');
    const back = {
      method: 'PATCH',
      path: `/v1/admin/operators/${honest.id}`,
      body: { isActive: true },
    } as const;
    const returned = await order(context, admin.client, back);
    if (returned.isDone && returned.status !== 202) harm.push('the last ADMIN gave an operator access alone');
  } finally {
    const sql = 'UPDATE operators SET is_active = true WHERE id = ANY ($1::uuid[])';
    const { platform } = context.world;
    await eventually(() => changeRows(platform, 'gateway', { sql, values: [others] }), LONG_WAIT);
  }
  return harm;
}

export const adminAttempts: readonly Attempt[] = [
  { name: 'a new operator', play: createOperator },
  settings('raised autoApproveLimit', { autoApproveLimit: 99_999_999 }),
  settings('set a fee of 100 %', { pixFeeBps: 10_000 }),
  { name: 'production for an own merchant', play: openProduction },
  { name: 'the deactivation of all others', play: deactivateAll },
];
