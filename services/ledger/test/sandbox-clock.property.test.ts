import { expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { clockMoved, eventually, rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import fc from 'fast-check';
import { brokenPromises } from './support/books.ts';
import { paid, paidByCard } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

const DAY_MS = 86_400_000;
/** Half a day. Receivables settle at half days, so that no settlement time is close to the clock's time. */
const STEP_MS = DAY_MS / 2;
const AT_ONCE = 20;

type Step =
  | { kind: 'pix'; amount: number }
  | { kind: 'card'; amount: number; settlesIn: number }
  | { kind: 'advance'; days: number }
  | { kind: 'late'; days: number };

const amount = fc.integer({ min: 100, max: 100_000 });
const days = fc.integer({ min: 1, max: 40 });
const step = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.record({ kind: fc.constant('pix' as const), amount }),
  fc.record({ kind: fc.constant('card' as const), amount, settlesIn: days }),
  fc.record({ kind: fc.constant('advance' as const), days }),
  fc.record({ kind: fc.constant('late' as const), days }),
);

interface Model {
  aheadDays: number;
  version: number;
  available: number;
  pending: { amount: number; dueDays: number }[];
  /**
   * The type, amount and day of each row, the oldest first. The day is a number of days ahead of real time.
   */
  rows: [string, number, number][];
}

/**
 * Applies a step to the model. A step that advances the clock also settles the receivables that become due.
 */
function follow(model: Model, taken: Step): void {
  if (taken.kind === 'late') return;
  if (taken.kind === 'advance') {
    model.aheadDays += taken.days;
    const isDue = ({ dueDays }: { dueDays: number }) => dueDays <= model.aheadDays;
    for (const due of model.pending.filter(isDue)) model.available += due.amount;
    model.pending = model.pending.filter((each) => !isDue(each));
    return;
  }
  if (taken.kind === 'pix') model.available += taken.amount;
  // Subtract half a day, so that the short delays of a test run cannot change the result.
  else model.pending.push({ amount: taken.amount, dueDays: model.aheadDays + taken.settlesIn - 0.5 });
  model.rows.push(['CREDIT', taken.amount, model.aheadDays]);
}

async function announceStep(tenant: Tenant, model: Model, taken: Step): Promise<void> {
  const { merchantId } = tenant;
  if (taken.kind === 'pix')
    await world.emitter.announce(paid(tenant, { amount: taken.amount, feeAmount: 0 }));
  if (taken.kind === 'card') {
    const ahead = model.aheadDays * DAY_MS + taken.settlesIn * DAY_MS - STEP_MS;
    const settlesAt = new Date(Date.now() + ahead).toISOString();
    await world.emitter.announce(paidByCard(tenant, { amount: taken.amount, feeAmount: 0, settlesAt }));
  }
  if (taken.kind === 'advance') {
    model.version += 1;
    const sandboxAheadMs = (model.aheadDays + taken.days) * DAY_MS;
    await world.emitter.announce(clockMoved(merchantId, { sandboxAheadMs, version: model.version }));
  }
  // Publish an outdated event with an earlier clock time. The ledger must ignore this event.
  if (taken.kind === 'late') {
    const sandboxAheadMs = Math.max(0, model.aheadDays - taken.days) * DAY_MS;
    await world.emitter.announce(clockMoved(merchantId, { sandboxAheadMs, version: 1 }));
  }
}

async function shows(tenant: Tenant, model: Model): Promise<void> {
  const pending = model.pending.reduce((sum, each) => sum + each.amount, 0);
  const balances = { availableBalance: model.available, pendingBalance: pending };
  await eventually(async () => expect(await world.balanceOf(tenant)).toMatchObject(balances));
}

async function play(steps: readonly Step[]): Promise<void> {
  const tenant = newTenant();
  const model: Model = { aheadDays: 0, version: 1, available: 0, pending: [], rows: [] };
  for (const taken of steps) {
    await announceStep(tenant, model, taken);
    follow(model, taken);
    await shows(tenant, model);
    if (taken.kind === 'advance') await untilApplied(tenant, model.aheadDays);
  }
  const { rows } = await world.readRows(tenant, '/v1/statement?order=asc&limit=100');
  const shown = rows.map(({ type, amount: cents, createdAt }) => {
    const ahead = Math.round((Date.parse(createdAt) - Date.now()) / DAY_MS) + 0;
    return [type, cents, ahead];
  });
  expect(shown).toEqual(model.rows);
}

const untilApplied = ({ merchantId }: Tenant, aheadDays: number) =>
  eventually(async () => {
    const applied = await world.database.query<{ ms: number }>(
      'SELECT ahead_ms AS ms FROM sandbox_clocks WHERE merchant_id = $1',
      [merchantId],
    );
    expect(applied).toEqual([{ ms: aheadDays * DAY_MS }]);
  });

test(`${rounds(1_000)} random histories with moved clocks match a model`, async () => {
  const seed = Number(process.env.SEED ?? 20_261_126);
  const histories = fc.sample(fc.array(step, { minLength: 3, maxLength: 12 }), {
    seed,
    numRuns: rounds(1_000),
  });
  for (let from = 0; from < histories.length; from += AT_ONCE) {
    await Promise.all(
      histories.slice(from, from + AT_ONCE).map((steps) =>
        play(steps).catch((error) => {
          throw new Error(`SEED=${seed}: ${JSON.stringify(steps)}`, { cause: error });
        }),
      ),
    );
  }
  expect(await brokenPromises(world.database)).toEqual([]);
}, 1_800_000);
