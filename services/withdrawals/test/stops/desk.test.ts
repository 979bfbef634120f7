import { describe, expect, test } from '@jest/globals';
import { type StopView, stopPart } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { eventually, openMetricsScraper } from '@plataforma/testing';
import { beforeFile, NO_BROKER, worldOfFile } from '@plataforma/testing/world';
import { follow } from '../payout/support/payouts.ts';
import { serviceHeader } from '../support/identity.ts';
import { startWorld } from '../support/world.ts';

const scraper = beforeFile(openMetricsScraper);
const world = worldOfFile(() =>
  startWorld({ brokerUrl: NO_BROKER, settings: { METRICS_PORT: String(scraper.port) } }),
);

const ofOne = () => world.stopControls.stop({ what: 'payouts', merchantId: newId() });
const outcomes = (answers: readonly { status: number; error?: { code: string } | undefined }[]) =>
  answers.map(({ status, error }) => [status, error?.code].filter(Boolean).join(' '));
const listed = async (query: string) =>
  stopPart.parse((await world.stopControls.list(`newest=100&${query}`, serviceHeader())).data);
const auditOf = ({ id }: StopView) =>
  world.database.query(
    'SELECT action, operator_id, after, reason FROM audit_log WHERE subject_id = $1 ORDER BY at',
    [id],
  );

describe('a stop', () => {
  test('is created once by concurrent requests', async () => {
    const order = { what: 'payouts', merchantId: newId() };

    const answers = await Promise.all(Array.from({ length: 5 }, () => world.stopControls.ask(order)));

    expect(outcomes(answers).sort()).toEqual(['200', '200', '200', '200', '201']);
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect((await listed(`merchantId=${order.merchantId}`)).total).toBe(1);
  });

  test('is shown to the gateway and recorded with its reason', async () => {
    const operator = world.stopControls.hire('ADMIN');
    const merchantId = newId();

    const { data } = await world.stopControls.ask(
      { what: 'payouts', merchantId, reason: 'incidente 42' },
      operator,
    );
    const { items } = await listed(`merchantId=${merchantId}&ended=false&what=payouts`);

    const expected = {
      ...{ service: 'withdrawals', what: 'payouts', provider: null, merchantId, reason: 'incidente 42' },
      ...{ stoppedBy: operator.operatorId, startedBy: [], startedAt: null },
    };
    expect(data).toMatchObject(expected);
    expect(items).toEqual([data]);
    expect(await auditOf(items[0] ?? (await ofOne()))).toEqual([
      {
        ...{ action: 'stop.begin', operator_id: operator.operatorId, reason: 'incidente 42' },
        after: { isStopped: true, what: 'payouts', provider: null, merchantId },
      },
    ]);
  });

  test.each([
    ['of refunds, an operation of another service', { what: 'refunds' }, '400 VALIDATION_ERROR'],
    ['of a provider without payouts', { what: 'payouts', provider: 'pix' }, '400 VALIDATION_ERROR'],
    ['without a reason', { what: 'payouts', reason: '' }, '400 VALIDATION_ERROR'],
  ])('%s is refused', async (_what, order, expected) => {
    expect(outcomes([await world.stopControls.ask(order)])).toEqual([expected]);
  });

  test('can be neither made nor ended by SUPPORT', async () => {
    const support = world.stopControls.hire('SUPPORT');
    const { id } = await ofOne();

    const answers = [
      await world.stopControls.ask({ what: 'payouts' }, support),
      await world.stopControls.start(id, support),
    ];

    expect(outcomes(answers)).toEqual(['403 FORBIDDEN', '403 FORBIDDEN']);
  });
});

describe('the end of a stop', () => {
  test('needs two different operators and happens once', async () => {
    const stop = await ofOne();
    const [one, other] = [world.stopControls.hire(), world.stopControls.hire('ADMIN')];

    const proposals = [
      await world.stopControls.start(stop.id, one),
      await world.stopControls.start(stop.id, one),
    ];
    const ended = await world.stopControls.start(stop.id, other);
    const late = await world.stopControls.start(stop.id, one);

    expect(outcomes([...proposals, ended, late])).toEqual(['202', '202', '200', '409 INVALID_STATE']);
    expect(proposals.map(({ data }) => data)).toEqual(
      Array(2).fill({ ...stop, startedBy: [one.operatorId], startedAt: null }),
    );
    const startedBy = [one.operatorId, other.operatorId];
    expect(ended.data).toEqual({ ...stop, startedBy, startedAt: expect.any(String) });
    expect((await auditOf(stop)).slice(1)).toMatchObject([
      { action: 'stop.propose_start', operator_id: one.operatorId },
      {
        action: 'stop.start',
        operator_id: other.operatorId,
        after: { isStopped: false, isAlone: false, startedBy },
      },
    ]);
    expect((await listed(`merchantId=${stop.merchantId}&ended=true`)).total).toBe(1);
  });

  test('is reached by two simultaneous operators', async () => {
    const stop = await ofOne();

    const answers = await Promise.all(
      [world.stopControls.hire(), world.stopControls.hire()].map((operator) =>
        world.stopControls.start(stop.id, operator),
      ),
    );

    expect(outcomes(answers).sort()).toEqual(['200', '202']);
  });

  test.each<[string, (stop: StopView, first: { operatorId: string; role: 'FINANCE' }) => Promise<unknown>]>([
    [
      'has lost access meanwhile',
      async () => world.stopControls.keepOnly(world.stopControls.hire(), world.stopControls.hire()),
    ],
    [
      'has become SUPPORT meanwhile',
      async (_stop, first) =>
        world.stopControls.keepOnly(world.stopControls.hire(), world.stopControls.hire(), {
          ...first,
          role: 'SUPPORT',
        }),
    ],
    [
      'requested it more than a day ago',
      ({ id }) =>
        world.database.query(`UPDATE stops SET proposed_at = now() - interval '25 hours' WHERE id = $1`, [
          id,
        ]),
    ],
  ])('needs two others when the first operator %s', async (_what, happen) => {
    const stop = await ofOne();
    const first = { ...world.stopControls.hire(), role: 'FINANCE' as const };
    await world.stopControls.start(stop.id, first);
    await happen(stop, first);

    const answers = [
      await world.stopControls.start(stop.id, world.stopControls.hire()),
      await world.stopControls.start(stop.id, world.stopControls.hire()),
    ];

    expect(outcomes(answers)).toEqual(['202', '200']);
  });

  test('needs one operator, recorded, when only one is active', async () => {
    const stop = await ofOne();
    const one = world.stopControls.hire();
    world.stopControls.keepOnly(one, world.stopControls.hire('SUPPORT'));

    const { status, data } = await world.stopControls.start(stop.id, one);

    expect([status, data]).toMatchObject([
      200,
      { startedBy: [one.operatorId], startedAt: expect.any(String) },
    ]);
    expect((await auditOf(stop)).slice(1)).toMatchObject([
      { action: 'stop.start', operator_id: one.operatorId, after: { isStopped: false, isAlone: true } },
    ]);
    const shown = await scraper.scrape();
    expect(shown.valueOf('plataforma_stops_started_alone', { what: 'payouts' })).toBe(1);
  });

  test('refuses a new operator, and one whom the first created', async () => {
    const stop = await ofOne();
    const old = (days: number, createdBy: string | null = null) => ({
      createdAt: new Date(Date.now() - days * 86_400_000).toISOString(),
      ...{ createdBy, isSingle: false },
    });
    const hire = () => world.stopControls.hire();
    const [one, fresh, made, other] = [hire(), hire(), hire(), hire()];
    world.stopControls.keepOnly(
      { ...one, ...old(90) },
      { ...fresh, ...old(0.9) },
      { ...made, ...old(29, one.operatorId) },
      { ...other, ...old(2) },
    );

    const answers = [];
    for (const operator of [one, fresh, made, other])
      answers.push(await world.stopControls.start(stop.id, operator));

    expect(outcomes(answers)).toEqual(['202', '403 FORBIDDEN', '403 FORBIDDEN', '200']);
    expect(answers[1]?.error?.message).toMatch(
      /another operator, created more than 24 hours ago, must approve/,
    );
  });

  test('needs a second operator even when all others lost access', async () => {
    const stop = await ofOne();
    const one = world.stopControls.hire();
    const createdAt = new Date(0).toISOString();
    world.stopControls.keepOnly({ ...one, createdAt, createdBy: null, isSingle: false });

    const answers = [
      await world.stopControls.start(stop.id, one),
      await world.stopControls.start(stop.id, one),
    ];
    world.stopControls.keepOnly({ ...one, createdAt, createdBy: null, isSingle: true });
    answers.push(await world.stopControls.start(stop.id, one));

    expect(outcomes(answers)).toEqual(['202', '202', '200']);
  });

  test('is refused for former operators and unknown stops', async () => {
    const stop = await ofOne();
    const gone = world.stopControls.hire();
    const stays = world.stopControls.hire();
    world.stopControls.keepOnly(stays, world.stopControls.hire());

    const answers = [
      await world.stopControls.start(stop.id, gone),
      await world.stopControls.start(newId(), stays),
    ];

    expect(outcomes(answers)).toEqual(['403 FORBIDDEN', '404 NOT_FOUND']);
  });
});

test('metrics count active stops and waiting withdrawals without provider faults', async () => {
  const other = world.newMerchant();
  const before = (await scraper.scrape()).valueOf('plataforma_stops_active', { what: 'payouts' }) ?? 0;
  const stop = await world.stopControls.stop({ what: 'payouts', provider: 'payout' });
  // The process has counted the orders of earlier test files, too.
  const orders = async () =>
    (await scraper.scrape()).valueOf('plataforma_provider_call_duration_seconds_count', {
      operation: 'order',
    });
  const ordersBefore = await orders();
  await follow(world);
  await world.client.newWithdrawal(other);

  await eventually(async () => {
    const shown = await scraper.scrape();
    expect(shown.valueOf('plataforma_stops_active', { what: 'payouts' })).toBe(before + 1);
    expect(shown.valueOf('plataforma_stops_waiting', { what: 'payouts' })).toBe(2);
  });
  expect(await orders()).toBe(ordersBefore);

  await world.stopControls.startAgain(stop);
  await eventually(async () => {
    const shown = await scraper.scrape();
    expect(shown.valueOf('plataforma_stops_waiting', { what: 'payouts' })).toBe(0);
  });
});
