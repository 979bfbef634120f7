import { expect, test } from '@jest/globals';
import { runOnce } from '../src/run.ts';

/** Another one finds other things: `npm run chaos -- --seed N`. */
const SEED = 1;

test('nothing is lost, doubled or stuck when one thing after the other breaks', async () => {
  const told: string[] = [];
  const { findings, strikes, calls } = await runOnce({
    seed: SEED,
    seconds: 30,
    say: (line) => told.push(`${new Date().toISOString()} ${line}`),
  });

  expect({ findings, told }).toEqual({ findings: [], told });
  expect(strikes.filter(({ recoveryMs }) => recoveryMs === null)).toEqual([]);
  expect(strikes.length).toBeGreaterThan(0);
  expect(calls.get('create-charge')).toBeGreaterThan(0);
}, 600_000);
