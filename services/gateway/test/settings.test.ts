import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { auditOf, changeSettings, eventsOf, operatorAs, snapshotOf } from './support/operators.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);
const admin = beforeFile(() => operatorAs(world, 'ADMIN'));

const initial = {
  pixFeeBps: 99,
  pixFeeFixed: 0,
  cardFeeBps: 399,
  cardFeeFixed: 0,
  cardEnabled: false,
  maxInstallments: 12,
  settlementDays: 30,
  settlementCalendar: 'calendar',
  withdrawalFee: 0,
  withdrawalFeeMode: 'AMOUNT',
  autoApproveLimit: 0,
  dailyWithdrawalLimit: 5_000_000,
  destinationCooldownHours: 24,
  newPayeesPerDay: 10,
};
const everyField = {
  pixFeeBps: 80,
  pixFeeFixed: 15,
  cardFeeBps: 349,
  cardFeeFixed: 40,
  cardEnabled: true,
  maxInstallments: 18,
  settlementDays: 14,
  settlementCalendar: 'banking',
  withdrawalFee: 250,
  withdrawalFeeMode: 'BALANCE',
  autoApproveLimit: 100_000,
  dailyWithdrawalLimit: 6_000_000,
  destinationCooldownHours: 48,
  newPayeesPerDay: 25,
};

const patch = (id: string, body: unknown, headers: Record<string, string> = admin.headers) =>
  changeSettings(world, id, { body, headers });

/** Expects that the merchant has only the event of its registration and no row in the audit log. */
async function expectUntouched(id: string): Promise<void> {
  expect(await snapshotOf(world, id)).toMatchObject({ ...initial, version: 1 });
  expect(await auditOf(world, id)).toEqual([]);
  expect(await eventsOf(world, id)).toHaveLength(1);
}

describe('a change of settings', () => {
  test('is answered with the changed merchant', async () => {
    const { id, email } = await world.newMerchant();

    const { status, json } = await patch(id, everyField);

    expect(status).toBe(200);
    expect(json.data).toMatchObject({ id, email, status: 'PENDING', settings: everyField });
  });

  test('is audited with its operator and the values before and after', async () => {
    const { id } = await world.newMerchant();

    await patch(id, everyField);

    expect(await auditOf(world, id)).toMatchObject([
      {
        operator_id: admin.id,
        action: 'merchant.settings',
        before: initial,
        after: everyField,
        reason: null,
      },
    ]);
  });

  test('is announced with all settings and a higher version', async () => {
    const { id } = await world.newMerchant();

    await patch(id, { cardEnabled: true, settlementDays: 2 });

    const [registered, changed, ...others] = await eventsOf(world, id);
    expect(others).toEqual([]);
    expect(registered).toMatchObject({ sequence: 1, data: { ...initial, version: 1 } });
    expect(changed).toMatchObject({
      type: 'merchant.updated',
      merchantId: id,
      environment: null,
      sequence: 2,
      data: { ...initial, id, version: 2, name: 'Loja do Zé', cardEnabled: true, settlementDays: 2 },
    });
    expect(await snapshotOf(world, id)).toEqual(changed?.data);
  });

  test('shows the merchant at once if cards are enabled', async () => {
    const { id, bearer } = await world.newMerchant();
    const isEnabled = async () => (await world.call('/v1/account', { headers: bearer })).json.data;

    await patch(id, { cardEnabled: true });
    expect(await isEnabled()).toMatchObject({ cardEnabled: true });

    await patch(id, { cardEnabled: false });
    expect(await isEnabled()).toMatchObject({ cardEnabled: false });
  });

  test('leaves other settings and other merchants unchanged', async () => {
    const { id } = await world.newMerchant();
    const other = await world.newMerchant();

    for (const [name, value] of Object.entries(everyField)) await patch(id, { [name]: value });

    expect(await snapshotOf(world, id)).toMatchObject({ ...everyField, version: 15 });
    await expectUntouched(other.id);
  });

  test('removes the daily limit with null only', async () => {
    const { id } = await world.newMerchant();

    await patch(id, { dailyWithdrawalLimit: 0 });
    const unchanged = await patch(id, { withdrawalFee: 100 });
    const lifted = await patch(id, { dailyWithdrawalLimit: null });

    expect(unchanged.json.data).toMatchObject({ settings: { dailyWithdrawalLimit: 0 } });
    expect(lifted.json.data).toMatchObject({ settings: { dailyWithdrawalLimit: null, withdrawalFee: 100 } });
    const [, , last] = await auditOf(world, id);
    expect([last?.before.dailyWithdrawalLimit, last?.after.dailyWithdrawalLimit]).toEqual([0, null]);
    expect(await snapshotOf(world, id)).toMatchObject({ dailyWithdrawalLimit: null, version: 4 });
  });

  test.each([
    ['is empty', {}],
    ['names only unknown settings', { pixFee: 1, status: 'APPROVED', version: 9, id: newId() }],
    ['repeats the current values', { pixFeeBps: 99, cardEnabled: false, newPayeesPerDay: 10 }],
  ])('that %s changes nothing and is not audited', async (_what, body) => {
    const { id } = await world.newMerchant();

    const { status, json } = await patch(id, body);

    expect([status, json.data]).toMatchObject([200, { id, status: 'PENDING', settings: initial }]);
    await expectUntouched(id);
  });
});

describe('a setting', () => {
  test.each<[string, number[]]>([
    ['pixFeeBps', [0, 10_000]],
    ['pixFeeFixed', [0, 1_000_000]],
    ['cardFeeBps', [0, 10_000]],
    ['cardFeeFixed', [0, 1_000_000]],
    ['maxInstallments', [1, 18]],
    ['settlementDays', [0, 365]],
    ['withdrawalFee', [0, 1_000_000]],
    ['autoApproveLimit', [0, 99_999_999_999]],
    ['dailyWithdrawalLimit', [0, 99_999_999_999]],
    ['destinationCooldownHours', [0, 720]],
    ['newPayeesPerDay', [0, 1_000]],
  ])('%s accepts its bounds and nothing beyond', async (name, [low = 0, high = 0]) => {
    const { id } = await world.newMerchant();
    const answers: string[] = [];

    for (const value of [high, low, low - 1, high + 1]) {
      const { status, json } = await patch(id, { [name]: value });
      answers.push(`${status} ${json.error?.message ?? ''}`);
    }

    expect(answers).toEqual([
      '200 ',
      '200 ',
      `400 ${name}: must be at least ${low}`,
      `400 ${name}: must be at most ${high}`,
    ]);
    expect(await snapshotOf(world, id)).toMatchObject({ [name]: low, version: 3 });
  });

  test('that is invalid prevents all changes of the request', async () => {
    const { id } = await world.newMerchant();

    const { status, json } = await patch(id, { pixFeeBps: 1, cardFeeFixed: '40' });

    const message = 'cardFeeFixed: must be a number';
    expect([status, json.error]).toEqual([400, { code: 'VALIDATION_ERROR', message }]);
    await expectUntouched(id);
  });
});

describe('two concurrent operators', () => {
  test(`change settings one after the other, ${rounds(50)} times`, async () => {
    const { id } = await world.newMerchant();
    const other = await operatorAs(world, 'ADMIN');

    for (let round = 1; round <= rounds(50); round += 1) {
      const answers = await Promise.all([
        patch(id, { pixFeeBps: 1_000 + round }),
        patch(id, { cardFeeBps: 2_000 + round }, other.headers),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const now = { pixFeeBps: 1_000 + round, cardFeeBps: 2_000 + round, version: 1 + 2 * round };
      expect(await snapshotOf(world, id)).toMatchObject(now);
    }

    const events = await eventsOf(world, id);
    const versions = Array.from({ length: 1 + 2 * rounds(50) }, (_, index) => index + 1);
    expect(events.map(({ sequence }) => sequence)).toEqual(versions);
    expect(events.map(({ data }) => data.version)).toEqual(versions);
  });

  test('leave an audit log without gaps between values', async () => {
    const { id } = await world.newMerchant();

    const changes = Array.from({ length: 12 }, (_, index) =>
      patch(id, index % 2 ? { pixFeeBps: index } : { cardFeeBps: index }),
    );
    await Promise.all(changes);

    // An id is generated before its row is written, so the order of ids may differ from the order of the
    // changes. The test follows `before` and `after` instead.
    const rows = await auditOf(world, id);
    const ends = new Map(rows.map(({ before, after }) => [JSON.stringify(before), after]));
    let last: unknown = rows.find(
      ({ before }) => before.pixFeeBps === 99 && before.cardFeeBps === 399,
    )?.before;
    for (let step = 0; step < 12; step += 1) last = ends.get(JSON.stringify(last));
    expect([rows.length, ends.size]).toEqual([12, 12]);
    expect(await snapshotOf(world, id)).toMatchObject(Object(last));
  });

  test('approve a merchant and change its settings without conflict', async () => {
    for (let round = 0; round < rounds(10); round += 1) {
      const { id } = await world.newMerchant();

      const [approved, changed] = await Promise.all([
        world.call(`/v1/admin/merchants/${id}/approve`, { method: 'POST', headers: admin.headers }),
        patch(id, { cardEnabled: true }),
      ]);

      expect([approved.status, changed.status]).toEqual([200, 200]);
      expect(await snapshotOf(world, id)).toMatchObject({
        status: 'APPROVED',
        cardEnabled: true,
        version: 3,
      });
      expect((await eventsOf(world, id)).map(({ data }) => data.version)).toEqual([1, 2, 3]);
    }
  });
});
