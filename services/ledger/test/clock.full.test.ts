import { expect, test } from '@jest/globals';
import { eventually, TICK_MS } from '@plataforma/testing';
import { processesOfService } from '@plataforma/testing/world';
import { paidByCard } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const startProcess = processesOfService({
  module: new URL('../src/service.ts', import.meta.url),
  start: 'startLedger',
  clientOf: () => undefined,
});
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

test('a replica with a fast clock settles no receivable early', async () => {
  const world = await startWorld();
  await world.first.stop();
  const tuning = { scheduleEveryMs: TICK_MS };
  const ahead = await startProcess(world.env, { tuning, isHourAhead: true });
  const [early, due] = [
    paidByCard(newTenant(), { settlesAt: inMinutes(30) }),
    paidByCard(newTenant(), { settlesAt: inMinutes(-1) }),
  ];

  await world.deliver(early);
  await world.deliver(due);

  const isSettled = async ({ data }: typeof early) =>
    (await world.entriesOf(data.id)).receivable_due !== undefined;
  await eventually(async () => expect(await isSettled(due)).toBe(true));
  expect(await isSettled(early)).toBe(false);
  await ahead.terminate();
  await world.stop();
});
