import { beforeAll, expect, test } from '@jest/globals';
import { joinPlatform, operatorToken, type PlatformFacts, rounds } from '../../src/index.ts';
import { clientOf, openAccount } from './client.ts';
import { ClockPlayer } from './clock-player.ts';
import { historiesOf, kindOf, kindsOfSteps, type Step } from './clock-steps.ts';

const AT_ONCE = 20;
const HISTORIES = 1_000;
/** From this number of histories on, the test expects that every kind of step was played. */
const OF_ALL_KINDS = 200;

let facts: PlatformFacts;

beforeAll(async () => {
  ({ facts } = await joinPlatform());
});

const played = new Set<string>();

async function play(steps: readonly Step[]): Promise<void> {
  // Each history has a new merchant, because each merchant has a sandbox clock of its own.
  const { merchant } = await openAccount(clientOf(facts.baseUrl));
  const player = new ClockPlayer(merchant);
  for (const step of steps) {
    if (await player.play(step)) played.add(kindOf(step));
  }
  await player.reader.agree();
}

test(`${rounds(HISTORIES)} random histories with moved clocks match a model`, async () => {
  const seed = Number(process.env.SEED ?? 20_261_126);
  const waiting = historiesOf(seed, rounds(HISTORIES));
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let steps = waiting.pop(); steps; steps = waiting.pop()) {
        const history = JSON.stringify(steps);
        await play(steps).catch((error) => {
          waiting.length = 0;
          throw new Error(`SEED=${seed}: ${history}`, { cause: error });
        });
      }
    }),
  );

  if (rounds(HISTORIES) >= OF_ALL_KINDS) expect([...played].sort()).toEqual([...kindsOfSteps].sort());
  const anyone = clientOf(facts.baseUrl);
  const operator = anyone.as({ bearer: () => operatorToken(facts.baseUrl, facts.operator) });
  const { data } = await operator.get('/v1/admin/ledger/trial-balance?environment=sandbox');
  expect(data).toMatchObject({ total: 0 });
  const { data: verified } = await operator.get('/v1/admin/ledger/verify');
  expect(verified).toMatchObject({ differences: [] });
}, 3_600_000);
