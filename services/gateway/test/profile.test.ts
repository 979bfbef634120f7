import { afterEach, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { eventsOf, snapshotOf } from './support/operators.ts';
import { type Merchant, sharedWorld, verifierOf } from './support/world.ts';

const world = worldOfFile(sharedWorld);

const patch = (merchant: Merchant, body: unknown) =>
  world.call('/v1/account', { method: 'PATCH', body, headers: merchant.bearer });
const versionsOf = async ({ id }: Merchant) => (await eventsOf(world, id)).map(({ data }) => data.version);

describe('a merchant', () => {
  test('changes its checkout color, and other services are notified', async () => {
    const merchant = await world.newMerchant();

    const { status, json } = await patch(merchant, { checkoutColor: ' #0F766E ' });

    const account = await world.call('/v1/account', { headers: merchant.bearer });
    expect([status, json.data]).toEqual([200, account.json.data]);
    expect(json.data).toMatchObject({ checkoutColor: '#0f766e', phone: '11987654321' });
    expect(await eventsOf(world, merchant.id)).toMatchObject([
      { data: { version: 1 } },
      { sequence: 2, data: { version: 2, checkoutColor: '#0f766e' } },
    ]);
  });

  test('changes its phone, which pages of buyers show', async () => {
    const merchant = await world.newMerchant();

    const { status, json } = await patch(merchant, { phone: '+55 (11) 91234-5678' });

    expect([status, json.data]).toMatchObject([200, { phone: '11912345678' }]);
    expect(await versionsOf(merchant)).toEqual([1, 2]);
    expect(await snapshotOf(world, merchant.id)).toMatchObject({ version: 2, phone: '11912345678' });
  });

  test('changes its time zone, which was UTC in release 0.6.0', async () => {
    const merchant = await world.newMerchant();
    const zone = async (change = {}) => (await patch(merchant, change)).json.data;
    expect(await zone()).toMatchObject({ timeZone: 'America/Sao_Paulo' });
    await world.database.query('UPDATE organizations SET time_zone = DEFAULT WHERE id = $1', [merchant.id]);

    expect(await zone()).toMatchObject({ timeZone: 'UTC' });
    expect(await zone({ timeZone: 'America/Manaus' })).toMatchObject({ timeZone: 'America/Manaus' });
    const { key } = await world.newKey(merchant);
    await world.call('/v1/balance', { headers: { 'x-api-key': key } });
    const token = String(world.services.ledger.last().headers['x-internal-identity']);
    expect(verifierOf('ledger').verify(token).identity).toMatchObject({ timeZone: 'America/Manaus' });
    expect(await versionsOf(merchant)).toEqual([1]);
    expect((await patch(merchant, { timeZone: 'Europe/Lisbon' })).status).toBe(400);
  });

  test.each([
    ['+5511987654321', '(11) 98765-4321'],
    ['551133334444', '(11) 3333-4444'],
    ['005511987654321', '11987654321'],
  ])('has its phone %s unchanged when settings send %s', async (stored, sent) => {
    const merchant = await world.newMerchant();
    await world.database.query('UPDATE organizations SET phone = $2 WHERE id = $1', [merchant.id, stored]);

    const { status, json } = await patch(merchant, { phone: sent });

    expect([status, json.data]).toMatchObject([200, { phone: stored }]);
  });

  test('writes and announces nothing when nothing changes', async () => {
    const merchant = await world.newMerchant();
    await patch(merchant, { checkoutColor: '#0f766e' });
    const versionOfRow = () =>
      world.database.query('SELECT xmin::text FROM organizations WHERE id = $1', [merchant.id]);
    const before = await versionOfRow();

    const answers = [
      await patch(merchant, {}),
      await patch(merchant, { checkoutColor: '#0F766E', phone: '(11) 98765-4321' }),
      await patch(merchant, { email: 'other@loja.example', status: 'APPROVED' }),
      await patch(merchant, { checkoutColor: null, phone: null }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers[2]?.json.data).toMatchObject({ email: merchant.email, status: 'PENDING' });
    expect(await versionOfRow()).toEqual(before);
    expect(await versionsOf(merchant)).toEqual([1, 2]);
  });

  test(`loses no change when both fields change at once, ${rounds(20)} times`, async () => {
    const merchant = await world.newMerchant();

    for (let round = 10; round < 10 + rounds(20); round += 1) {
      const answers = await Promise.all([
        patch(merchant, { checkoutColor: `#0000${round}` }),
        patch(merchant, { phone: `11987650${round}0` }),
      ]);

      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const account = await world.call('/v1/account', { headers: merchant.bearer });
      expect(account.json.data).toMatchObject({ checkoutColor: `#0000${round}`, phone: `11987650${round}0` });
    }
    const versions = Array.from({ length: 1 + 2 * rounds(20) }, (_, index) => index + 1);
    expect(await versionsOf(merchant)).toEqual(versions);
  });

  test('changes its profile with a bearer token only', async () => {
    const merchant = await world.newMerchant();
    const { key } = await world.newKey(merchant);

    const withKey = await world.call('/v1/account', {
      method: 'PATCH',
      body: { checkoutColor: '#000000' },
      headers: { 'x-api-key': key },
    });

    expect([withKey.status, withKey.code]).toEqual([401, 'UNAUTHORIZED']);
  });
});

afterEach(() => world.services.withdrawals.reset());

/** The day of a sandbox whose clock was moved forward. */
const sandboxDay = { day: '2026-12-29', until: '2026-12-30T03:00:00.000Z' };
const today = {
  ...{ day: '2026-11-24', until: '2026-11-25T03:00:00.000Z', production: 30_000, sandbox: 500 },
  sandboxDay,
};
const answerForToday = () =>
  world.services.withdrawals.answer(() => ({
    status: 200,
    body: JSON.stringify({ success: true, data: today }),
  }));
const accountOf = async ({ bearer: headers }: Merchant) =>
  api.getAccount.data.parse((await world.call('/v1/account', { headers })).json.data);
const agreed = {
  ...{ pixFeeBps: 99, pixFeeFixed: 10, cardFeeBps: 349, cardFeeFixed: 40, maxInstallments: 6 },
  ...{ settlementDays: 14, settlementCalendar: 'banking', withdrawalFee: 250, withdrawalFeeMode: 'BALANCE' },
  ...{ autoApproveLimit: 100_000, dailyWithdrawalLimit: 50_000, destinationCooldownHours: 24 },
};
const agree = async ({ id }: Merchant, changes: object) =>
  world.call(`/v1/admin/merchants/${id}/settings`, {
    method: 'PATCH',
    body: changes,
    headers: await world.operator(),
  });

test('an account shows its fees, limits and the amount left today', async () => {
  const merchant = await world.newMerchant();
  await agree(merchant, agreed);
  answerForToday();

  expect(await accountOf(merchant)).toMatchObject({
    ...{ id: merchant.id, email: merchant.email, status: 'PENDING', cardEnabled: false },
    fees: { PIX: { bps: 99, fixed: 10 }, CARD: { bps: 349, fixed: 40 } },
    ...{ withdrawalFee: 250, withdrawalFeeMode: 'BALANCE' },
    ...{ settlementDays: 14, settlementCalendar: 'banking' },
    limits: {
      ...{ maxInstallments: 6, autoApproveLimit: 100_000, dailyWithdrawalLimit: 50_000 },
      destinationCooldownHours: 24,
      today: {
        ...{ day: '2026-11-24', until: '2026-11-25T03:00:00.000Z' },
        production: { ordered: 30_000, left: 20_000 },
        sandbox: { ordered: 500, left: 49_500, ...sandboxDay },
      },
    },
  });
  const { url, headers } = world.services.withdrawals.last();
  expect(url).toBe(`/internal/ordered-today?merchantId=${merchant.id}`);
  expect(verifierOf('withdrawals').verify(String(headers['x-internal-identity']))).toMatchObject({
    issuer: 'gateway',
  });
});

test('the amount left is zero above the limit, null without one', async () => {
  const merchant = await world.newMerchant();
  await agree(merchant, { dailyWithdrawalLimit: null });
  answerForToday();

  expect((await accountOf(merchant)).limits).toMatchObject({
    today: { production: { ordered: 30_000, left: null }, sandbox: { ordered: 500, left: null } },
  });
  await agree(merchant, { dailyWithdrawalLimit: 10_000 });
  expect((await accountOf(merchant)).limits).toMatchObject({
    today: { production: { ordered: 30_000, left: 0 }, sandbox: { ordered: 500, left: 9_500 } },
  });
});

test('without withdrawals, an account shows and changes everything else', async () => {
  const merchant = await world.newMerchant();
  await agree(merchant, agreed);

  await world.services.withdrawals.down();
  const limits = { dailyWithdrawalLimit: 50_000, today: null };
  expect(await accountOf(merchant)).toMatchObject({ withdrawalFee: 250, limits });
  const changed = await world.call('/v1/account', {
    method: 'PATCH',
    body: { checkoutColor: '#0f766e' },
    headers: merchant.bearer,
  });
  expect([changed.status, changed.json.data]).toMatchObject([200, { checkoutColor: '#0f766e', limits }]);

  await world.services.withdrawals.up();
  world.services.withdrawals.answer(() => ({ status: 200, body: '{"success":true,"data":{"day":1}}' }));
  expect(await accountOf(merchant)).toMatchObject({ limits });
});
