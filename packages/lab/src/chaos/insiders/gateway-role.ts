import { newId } from '@plataforma/kernel';
import { EndOfAct } from '../actors/acts/act.ts';
import { fixed } from '../actors/credentials.ts';
import { headersOfKey } from '../actors/merchants.ts';
import { type Attempt, type AttemptContext, decided, order } from './attempt.ts';
import { asService, cleanUp, copyRow, requireAlarm, sourceOf } from './rows.ts';

/** Inserts an API key for another merchant, with a text that the insider has chosen. */
async function addKey(context: AttemptContext): Promise<string[]> {
  const { nobody, merchants } = context.cast;
  const { newKey, hashOf } = await sourceOf('gateway', 'domain/api-key.ts');
  const [id, key] = [newId(), String(newKey('sandbox'))];
  const own = merchants.own.keys.sandbox.current().id;
  const changes = { id, organization_id: merchants.victim.id, key_hash: hashOf(key), expires_at: null };
  await copyRow(context, { service: 'gateway', table: 'api_keys', where: `id = '${own}'`, changes });
  const stolen = nobody.as(fixed(headersOfKey({ id, key })));
  try {
    const { isDone } = decided(await stolen.read('use-forged-key', '/v1/balance'));
    const alarm = await requireAlarm(context, 'gateway', id);
    return isDone ? ['a forged API key works', ...alarm] : alarm;
  } finally {
    await cleanUp(context, 'gateway', `DELETE FROM api_keys WHERE id = '${id}'`);
  }
}

/** Adds two ADMINs with a known password and without a second factor. */
async function addAdmins(context: AttemptContext): Promise<string[]> {
  const { finance } = context.cast;
  const ids = [newId(), newId()];
  const harm: string[] = [];
  try {
    for (const id of ids) {
      const email = `${id}@forged.test`;
      const changes = { id, email, role: 'ADMIN', factor_at: null };
      await copyRow(context, {
        service: 'gateway',
        table: 'operators',
        where: `id = '${finance.id}'`,
        changes,
      });
      const login = { email, password: finance.login.password };
      if (await logsIn(context, login)) harm.push('a forged ADMIN logs in');
      harm.push(...(await requireAlarm(context, 'gateway', id)));
    }
  } finally {
    await cleanUp(context, 'gateway', `DELETE FROM operators WHERE id IN ('${ids.join("','")}')`);
  }
  return harm;
}

/** Returns whether the gateway accepts the password, at least as far as to offer a second factor. */
async function logsIn({ cast, dice }: AttemptContext, body: { email: string; password: string }) {
  const request = { action: 'log-in', method: 'POST', path: '/v1/admin/auth/login', body } as const;
  const sent = { ...request, intent: dice.uuid(), again: 'as it is' } as const;
  const { isDone, otpauth } = decided(await cast.nobody.ask(sent));
  return isDone || otpauth !== null;
}

/** Raises a limit of the insider's account. An honest change would then publish the limit to all services. */
async function changeSetting(context: AttemptContext): Promise<string[]> {
  const { honest, merchants } = context.cast;
  const { id } = merchants.own;
  const column = 'auto_approve_limit_cents';
  const [before] = await asService(
    context,
    'gateway',
    `SELECT ${column} FROM organizations WHERE id = '${id}'`,
  );
  const set = (value: unknown) => `UPDATE organizations SET ${column} = ${value} WHERE id = '${id}'`;
  await asService(context, 'gateway', set(99_999_999));
  const path = `/v1/admin/merchants/${id}/settings`;
  try {
    const change = { method: 'PATCH', path, body: { maxInstallments: 1 } } as const;
    const { isDone } = decided(await order(context, honest.client, change));
    const alarm = await requireAlarm(context, 'gateway', id);
    return isDone ? ['a forged setting of an account is announced', ...alarm] : alarm;
  } finally {
    await cleanUp(context, 'gateway', set(before?.[column]));
  }
}

/** Moves the insider's own session to the account of another merchant. */
async function moveSession(context: AttemptContext): Promise<string[]> {
  const { own, victim } = context.cast.merchants;
  const user = `(SELECT id FROM users WHERE organization_id = '${victim.id}' LIMIT 1)`;
  const sql = `
    UPDATE sessions SET organization_id = '${victim.id}', user_id = ${user}
    WHERE organization_id = '${own.id}' AND ended_at IS NULL RETURNING id`;
  const moved = (await asService(context, 'gateway', sql)).map(({ id }) => String(id));
  const { data } = await own.dashboard.read('use-moved-session', '/v1/account');
  await cleanUp(
    context,
    'gateway',
    `DELETE FROM sessions WHERE id IN ('${[newId(), ...moved].join("','")}')`,
  );
  return data.id === victim.id ? ['a moved session shows the account of another merchant'] : [];
}

/** Removes the second factor of an operator whose password is known. */
async function removeFactor(context: AttemptContext): Promise<string[]> {
  const { id, login } = context.cast.puppet;
  const row = `operator_id = '${id}'`;
  const [factor] = await asService(
    context,
    'gateway',
    `DELETE FROM operator_factors WHERE ${row} RETURNING to_jsonb(operator_factors) AS factor`,
  );
  if (!factor) throw new EndOfAct('the operator has no second factor');
  try {
    const isIn = await logsIn(context, { email: login.email, password: login.password });
    return isIn ? ['an operator logs in after the second factor was removed'] : [];
  } finally {
    const json = JSON.stringify(factor.factor).replaceAll("'", "''");
    await cleanUp(
      context,
      'gateway',
      `INSERT INTO operator_factors SELECT (jsonb_populate_record(NULL::operator_factors, '${json}')).*
       ON CONFLICT DO NOTHING`,
    );
  }
}

export const gatewayAttempts: readonly Attempt[] = [
  { name: 'an API key of another merchant', play: addKey },
  { name: 'two ADMINs', play: addAdmins },
  { name: 'a changed setting', play: changeSetting },
  { name: 'a moved session', play: moveSession },
  { name: 'a removed second factor', play: removeFactor },
];
