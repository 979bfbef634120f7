import { describe, expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { blocking, error500, eventually, honest, rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import type { Message } from './support/client.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

const MARIA = 'maria@exemplo.com.br';
const BOTH = '52998224725';

function readOwner(tenant: Tenant, query: Record<string, string>, message: Message = {}, { call } = world) {
  return call(tenant, `/v1/withdrawals/recipient?${new URLSearchParams(query)}`, message);
}
const guess = (tenant: Tenant) => readOwner(tenant, { pixKey: `nobody-${newId()}@exemplo.com.br` });
const repeat = async <T>(times: number, ask: () => Promise<T>): Promise<T[]> => {
  const answers: T[] = [];
  for (let at = 0; at < times; at += 1) answers.push(await ask());
  return answers;
};
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status);
const age = (tenant: Tenant, interval: string) =>
  world.database.query(
    `UPDATE recipient_lookups SET created_at = created_at - $2::interval WHERE merchant_id = $1`,
    [tenant.merchantId, interval],
  );
const requestsOf = () => world.bank.requests.filter(({ operation }) => operation === 'recipient');

describe('a lookup of a Pix key', () => {
  test('shows the owner, bank and masked document', async () => {
    const answer = await readOwner(world.newMerchant(), { pixKey: MARIA });

    expect(answer).toMatchObject({ status: 200 });
    expect(answer.data).toEqual({
      pixKey: MARIA,
      pixKeyType: 'EMAIL',
      name: 'Titular da Chave',
      document: '***.456.789-**',
      bankName: 'Banco de Teste',
    });
    expect(requestsOf().at(-1)?.body).toBe(JSON.stringify({ chave: MARIA }));
  });

  test.each<[Record<string, string>, string]>([
    [{ pixKey: '(11) 98765-4321' }, '+5511987654321'],
    [{ pixKey: '529.982.247-25' }, BOTH],
    [{ pixKey: '34.665.388/0001-61' }, '34665388000161'],
    [{ pixKey: '529982247-25', pixKeyType: 'CPF' }, BOTH],
  ])('by %j asks for %s', async (query, pixKey) => {
    expect(await readOwner(world.newMerchant(), query)).toMatchObject({ status: 200, data: { pixKey } });
  });

  test.each<[Record<string, string>, string]>([
    [{ pixKey: '11987650034' }, 'pixKeyType: is required, because the key can be a CPF or a mobile number'],
    [{ pixKey: 'maria' }, 'pixKey: must be a Pix key'],
    [{ pixKey: '52998224726', pixKeyType: 'CPF' }, 'pixKey: its check digits are wrong'],
  ])('by %j asks no provider', async (query, message) => {
    const before = requestsOf().length;

    const answer = await readOwner(world.newMerchant({}, 'production'), query);

    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR', message } });
    expect(requestsOf()).toHaveLength(before);
  });

  test('needs the scope of withdrawals', async () => {
    const answer = await readOwner(world.newMerchant(), { pixKey: MARIA }, { scopes: ['wallet:read'] });

    expect(answer).toMatchObject({ status: 403, error: { code: 'INSUFFICIENT_SCOPE' } });
  });
});

describe('the limit of lookups', () => {
  test('ends twelve guesses on two replicas, for this account only', async () => {
    const [tenant, other] = [world.newMerchant(), world.newMerchant()];
    const second = await world.startReplica();
    const readKnown = () => readOwner(tenant, { pixKey: MARIA }, {}, { ...world, call: second.client.call });

    const guesses = await repeat(11, () => guess(tenant));
    const five = await repeat(5, readKnown);
    const refused = await readKnown();

    expect(statuses(guesses)).toEqual(Array(11).fill(404));
    expect(guesses[0]?.error?.code).toBe('PIX_KEY_NOT_FOUND');
    expect(statuses(five)).toEqual(Array(5).fill(200));
    expect(refused).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500);
    expect(statuses([await guess(other)])).toEqual([404]);
    await age(tenant, '59 minutes');
    expect(Number((await readKnown()).headers.get('retry-after'))).toBeLessThan(61);
    await age(tenant, '1 minute');
    expect(statuses([await readKnown()])).toEqual([200]);
    await second.stop();
  });

  test('of a day counts older hours', async () => {
    const tenant = world.newMerchant();
    for (let hour = 0; hour < 5; hour += 1) {
      expect(statuses(await repeat(12, () => guess(tenant)))).toEqual(Array(12).fill(404));
      await age(tenant, '61 minutes');
    }

    const refused = await guess(tenant);

    expect(statuses([refused])).toEqual([429]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(18 * 3_600);
  });

  test('counts a lookup without an answer as a guess', async () => {
    const tenant = world.newMerchant();
    await repeat(11, () => guess(tenant));
    const { behaviour, arrived, release } = blocking();
    world.bank.next('recipient', behaviour);
    const waiting = readOwner(tenant, { pixKey: MARIA });
    await arrived;

    const meanwhile = await guess(tenant);
    release();

    expect(statuses([await waiting, meanwhile, await guess(tenant)])).toEqual([200, 429, 404]);
  });

  test('lets one of five concurrent lookups use the rest', async () => {
    for (let round = 0; round < rounds(20); round += 1) {
      const tenant = world.newMerchant({}, 'production');
      await world.database.query(
        `INSERT INTO recipient_lookups VALUES ($1, $2, 'production', '\\x00', 59, clock_timestamp())`,
        [newId(), tenant.merchantId],
      );

      const answers = await Promise.all(Array.from({ length: 5 }, () => guess(tenant)));

      expect(statuses(answers).sort()).toEqual([404, 429, 429, 429, 429]);
    }
  });

  test('counts no lookup of a key that a withdrawal paid', async () => {
    const tenant = world.newMerchant();
    await repeat(11, () => guess(tenant));
    await repeat(5, () => readOwner(tenant, { pixKey: MARIA }));
    const { id } = await world.client.newWithdrawal(tenant, { pixKey: MARIA, pixKeyType: 'EMAIL' });

    await eventually(async () =>
      expect(await world.client.withdrawal(tenant, id)).toMatchObject({ status: 'COMPLETED' }),
    );

    expect(statuses(await repeat(6, () => readOwner(tenant, { pixKey: MARIA })))).toEqual([
      ...Array(5).fill(200),
      429,
    ]);
  });

  test('keeps no key, and no lookup of the day before', async () => {
    const tenant = world.newMerchant();
    await readOwner(tenant, { pixKey: MARIA });
    await age(tenant, '25 hours');
    await readOwner(world.newMerchant(), { pixKey: MARIA });

    const rows = await world.database.query('SELECT l::text AS row, merchant_id FROM recipient_lookups AS l');

    expect(rows.filter(({ merchant_id: of }) => of === tenant.merchantId)).toEqual([]);
    expect(rows.filter(({ row }) => String(row).includes('maria'))).toEqual([]);
  });
});

test('a provider that does not answer is soon asked no more, and later again', async () => {
  const tenants = Array.from({ length: 6 }, () => world.newMerchant({}, 'production'));
  const ask = (tenant: Tenant) => readOwner(tenant, { pixKey: MARIA });
  world.bank.always('recipient', error500);
  const before = requestsOf().length;

  const answers = await repeat(4, async () => Promise.all(tenants.map(ask)));
  const sent = requestsOf().length - before;
  world.bank.always('recipient', honest);

  expect(new Set(answers.flat().map(({ error }) => error?.code))).toEqual(new Set(['PROVIDER_UNAVAILABLE']));
  expect(sent).toBeLessThan(24);
  const askAnew = () => ask(world.newMerchant({}, 'production'));
  await eventually(async () => expect(statuses([await askAnew()])).toEqual([200]));
});
