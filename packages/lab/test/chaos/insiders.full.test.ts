import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { raiseCurtain } from '../../src/chaos/actors/company.ts';
import { openShops } from '../../src/chaos/actors/shops.ts';
import { checkHashes } from '../../src/chaos/check/hashes.ts';
import { diceOf } from '../../src/chaos/dice.ts';
import { insiderFaults } from '../../src/chaos/faults/insiders.ts';
import { openHistory } from '../../src/chaos/history.ts';
import { insiderMutations } from '../../src/chaos/insider-mutations.ts';
import { openCast } from '../../src/chaos/insiders/cast.ts';
import { JOINT, type Mutation } from '../../src/chaos/mutation.ts';
import { openWorld } from '../../src/chaos/world/open-world.ts';

const TIMEOUT_MS = 600_000;
const stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
}, TIMEOUT_MS);

/**
 * Lets insiders act on a platform without other faults. Returns the insiders' actions and the harm that the
 * run found. One platform lacks all given guards, because each start of a platform is slow.
 */
async function play({ without }: { without?: readonly Mutation[] } = {}) {
  const dice = diceOf(11);
  const dataDir = await mkdtemp(join(tmpdir(), 'plataforma-insiders-'));
  stops.push(() => rm(dataDir, { recursive: true, force: true }));
  const shops = await openShops(dice.named('shops'));
  stops.push(() => shops.stop());
  const [first] = without ?? [];
  const mutation = first && { ...first, name: without?.map(({ name }) => name).join(JOINT) ?? first.name };
  const world = await openWorld({ dataDir, dice, mutation });
  stops.push(() => world.stop());
  const history = openHistory();
  const { bank, platform, insiders } = world;
  const { facts } = platform;
  const shared = { baseUrl: facts.baseUrl, operator: facts.operator, bank, shops, history };
  const company = await raiseCurtain({ ...shared, dice: dice.named('company'), acts: [] });
  insiders.cast = await openCast({ world, admin: company.admin, history, dice });
  stops.push(async () => insiders.cast?.close());
  const struck: string[] = [];
  const needed = without?.flatMap(({ needs }) => needs.faults ?? []);
  for (const fault of insiderFaults.filter(({ name }) => !needed || needed.includes(name)))
    struck.push((await fault.strike(world, dice)).what);
  return { struck, breaches: [...insiders.breaches], hashes: await checkHashes(facts, insiders), insiders };
}

test(
  'insiders do no harm, and each leaves a trace',
  async () => {
    const { struck, breaches, hashes, insiders } = await play();

    expect({ breaches, hashes }).toEqual({ breaches: [], hashes: [] });
    expect(struck.filter((what) => what.includes('ended early'))).toEqual([]);
    expect(struck).toHaveLength(4);
    expect(Object.fromEntries(insiders.entries)).toEqual({
      adjustment: 1,
      unblock: 1,
      withdrawal_created: 1,
    });
  },
  TIMEOUT_MS,
);

test(
  'without the guards the run finds each harm',
  async () => {
    const { breaches } = await play({ without: insiderMutations });

    for (const { shows } of insiderMutations) expect(breaches).toContainEqual(expect.stringMatching(shows));
  },
  TIMEOUT_MS,
);
