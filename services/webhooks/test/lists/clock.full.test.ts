import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DoomedProcess, eventually, TICK_MS } from '@plataforma/testing';
import { eventOf } from '../support/history.ts';
import { newTenant } from '../support/identity.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let ahead: DoomedProcess;

beforeAll(async () => {
  // It looks for what is old once a minute: the test is over by then.
  world = await startWorld();
  const tuning = { forgetEveryMs: TICK_MS };
  ahead = await startServiceProcess(world.env, { tuning, isHourAhead: true });
});
afterAll(async () => {
  await ahead.terminate();
  await world.stop();
});

const MONTH_MS = 30 * 86_400_000;
const MINUTES_MS = 20 * 60_000;
const agoBy = (ms: number) => new Date(Date.now() - ms).toISOString();

test('a replica with its clock an hour ahead forgets nothing before its time', async () => {
  const tenant = newTenant();
  const kept = await eventOf(world.database, tenant, { at: agoBy(MONTH_MS - MINUTES_MS) });
  const old = await eventOf(world.database, tenant, { at: agoBy(MONTH_MS + MINUTES_MS) });
  const exists = async (id: string) =>
    (await world.database.query('SELECT FROM events WHERE id = $1', [id])).length > 0;

  await eventually(async () => expect(await exists(old.id)).toBe(false));

  expect(await exists(kept.id)).toBe(true);
});
