import { beforeAll, expect, test } from '@jest/globals';
import { eventually, merchantUpdated, rounds } from '@plataforma/testing';
import { beforeFile, startEmitter, worldOfFile } from '@plataforma/testing/world';
import { newDelays } from './support/delays.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
const gateway = beforeFile(() => startEmitter(world.brokerUrl));

beforeAll(() => world.stopFirst(gateway));

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const AT_ONCE = 20;

type Step =
  | { kind: 'charge'; days: number }
  | { kind: 'advance'; days: number }
  | { kind: 'late'; days: number }
  | { kind: 'pay'; which: number };

const KINDS = ['charge', 'charge', 'advance', 'late', 'pay'] as const;

/** Returns three to ten random steps. `below(n)` returns a random number from 0 to n − 1. */
function historyOf(below: (max: number) => number): Step[] {
  return Array.from({ length: 3 + below(8) }, () => {
    const kind = KINDS[below(KINDS.length)] ?? 'charge';
    return kind === 'pay' ? { kind, which: below(10) } : { kind, days: 1 + below(20) };
  });
}

interface Expected {
  id: string;
  status: 'PENDING' | 'PAID' | 'EXPIRED';
  /**
   * The charge ends when the sandbox clock is this many days ahead of the real time. The number is half a day
   * below a whole number, so that small delays do not matter.
   */
  endsDay: number;
}

const daysAhead = (time: string) => Math.round((Date.parse(time) - Date.now()) / HOUR_MS / DAY_HOURS) + 0;

async function play(steps: readonly Step[]): Promise<void> {
  const tenant = newTenant();
  const { merchantId } = tenant;
  const charges: Expected[] = [];
  let ahead = 0;
  let version = 1;

  const announceClock = (aheadDays: number, as: number) =>
    gateway.announce(
      merchantUpdated(merchantId, { sandboxAheadMs: aheadDays * DAY_HOURS * HOUR_MS, version: as }),
    );
  const agree = () =>
    eventually(async () => {
      const shown = await Promise.all(charges.map(({ id }) => world.client.charge(tenant, id)));
      expect(shown.map(({ id, status }) => ({ id, status }))).toEqual(
        charges.map(({ id, status }) => ({ id, status })),
      );
    });

  for (const taken of steps) {
    if (taken.kind === 'charge') {
      const expiresIn = (taken.days * DAY_HOURS - DAY_HOURS / 2) * 3_600;
      const { id, createdAt } = await world.client.newCharge(tenant, { expiresIn });
      expect(daysAhead(createdAt)).toBe(ahead);
      charges.push({ id, status: 'PENDING', endsDay: ahead + taken.days - 0.5 });
    }
    if (taken.kind === 'advance') {
      ahead += taken.days;
      version += 1;
      await announceClock(ahead, version);
      for (const charge of charges)
        if (charge.status === 'PENDING' && charge.endsDay <= ahead) charge.status = 'EXPIRED';
      await untilApplied(merchantId, ahead);
    }
    if (taken.kind === 'late') await announceClock(Math.max(0, ahead - taken.days), 1);
    const paid = taken.kind === 'pay' ? charges[taken.which % Math.max(1, charges.length)] : undefined;
    if (paid?.status === 'PENDING') {
      const { status, data } = await world.client.simulate(tenant, paid.id);
      expect([status, daysAhead(String(Object(data).paidAt))]).toEqual([200, ahead]);
      paid.status = 'PAID';
    }
    await agree();
  }
}

const untilApplied = (merchantId: string, aheadDays: number) =>
  eventually(async () => {
    const applied = await world.database.query<{ ms: number }>(
      'SELECT ahead_ms AS ms FROM sandbox_clocks WHERE merchant_id = $1',
      [merchantId],
    );
    expect(applied).toEqual([{ ms: aheadDays * DAY_HOURS * HOUR_MS }]);
  });

test(`${rounds(1_000)} random histories with moved clocks match a model`, async () => {
  const seed = Number(process.env.SEED ?? 20_261_126);
  const chance = newDelays(seed);
  const below = (max: number) => chance(max - 1);
  const histories = Array.from({ length: rounds(1_000) }, () => historyOf(below));
  for (let from = 0; from < histories.length; from += AT_ONCE) {
    await Promise.all(
      histories.slice(from, from + AT_ONCE).map((steps) =>
        play(steps).catch((error) => {
          throw new Error(`SEED=${seed}: ${JSON.stringify(steps)}`, { cause: error });
        }),
      ),
    );
  }
}, 3_600_000);
