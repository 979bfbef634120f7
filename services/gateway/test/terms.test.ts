import { afterEach, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { worldOfFile } from '@plataforma/testing/world';
import { type Merchant, sharedWorld, verifierOf } from './support/world.ts';

const world = worldOfFile(sharedWorld);

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
