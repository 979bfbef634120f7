import { describe, expect, test } from '@jest/globals';
import { diceOf } from '../../src/chaos/dice.ts';
import type { Fault } from '../../src/chaos/faults/fault.ts';
import { strikeInTurn } from '../../src/chaos/schedule.ts';

type Log = string[];

const faultOf = (name: string, group: Fault['group'], weight = 1): Fault<Log> => ({
  ...{ name, group, weight },
  async strike(log, dice) {
    const target = dice.int(1, 1_000);
    log.push(name);
    return { what: `${name} met ${target}`, mendedAt: Date.now() };
  },
});

const many = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((name) => [
  faultOf(`broker ${name}`, 'broker'),
  faultOf(`clock ${name}`, 'clock'),
]);

/**
 * Runs some faults. After each fault the platform recovers in `recoveryMs`, or never if `recoveryMs` is null.
 */
async function strikesOf(
  seed: number,
  faults: readonly Fault<Log>[],
  { times = 24, recoveryMs = 5 as number | null, first = [] as readonly Fault<Log>[] } = {},
) {
  const [world, said]: [Log, string[]] = [[], []];
  let probed = 0;
  const probe = {
    async run() {
      probed += 1;
      return recoveryMs;
    },
  };
  const dice = diceOf(seed);
  const isOver = () => probed === times;
  const strikes = await strikeInTurn({
    world,
    faults,
    first,
    dice,
    probe,
    isOver,
    say: (line) => said.push(line),
  });
  return { world, said, strikes };
}

describe('faults', () => {
  test('have the same order and targets for the same seed', async () => {
    const [one, same, another] = [
      await strikesOf(1, many),
      await strikesOf(1, many),
      await strikesOf(2, many),
    ];

    expect(one.world).toEqual(same.world);
    expect(one.said).toEqual(same.said);
    expect(one.world).not.toEqual(another.world);
  });

  test('begin with the requested ones in their order', async () => {
    const first = many.slice(3, 6);

    const { world } = await strikesOf(1, many, { times: 3, first });

    expect(world.slice(0, 3)).toEqual(first.map(({ name }) => name));
  });

  test('without an effect do not count', async () => {
    const inVain: Fault<Log> = {
      ...faultOf('a fault without a target', 'clock'),
      strike: async () => ({ what: 'in vain', isInVain: true, mendedAt: Date.now() }),
    };

    const { strikes } = await strikesOf(1, [inVain], { times: 1 });

    expect(strikes.map(({ faults }) => faults)).toEqual([[]]);
  });

  test('occur as often as their weight in each round', async () => {
    const { world } = await strikesOf(
      3,
      [faultOf('often', 'broker', 4), faultOf('seldom', 'broker'), faultOf('also', 'broker')],
      { times: 12 },
    );

    const counts = Map.groupBy(world, (name) => name);
    expect([...counts].map(([name, all]) => [name, all.length]).sort()).toEqual([
      ['also', 2],
      ['often', 8],
      ['seldom', 2],
    ]);
  });

  test('sometimes occur in pairs of different groups, without a loss', async () => {
    const { world, strikes } = await strikesOf(4, many, { times: 200 });

    const pairs = strikes.filter(({ faults }) => faults.length === 2);
    expect(pairs.length).toBeGreaterThan(20);
    expect(pairs.filter(({ faults: [first, second] }) => first?.group === second?.group)).toEqual([]);
    const rounds = Math.floor(world.length / many.length);
    const whole = world.slice(0, rounds * many.length);
    const counts = [...Map.groupBy(whole, (name) => name).values()].map(({ length }) => length);
    expect(counts).toEqual(many.map(() => rounds));
  });

  test('are reported with their partners and the recovery time', async () => {
    const { strikes, said } = await strikesOf(5, [faultOf('broker a', 'broker')], {
      times: 1,
      recoveryMs: 2_000,
    });

    expect(strikes).toEqual([
      {
        faults: [{ name: 'broker a', group: 'broker' }],
        what: expect.stringMatching(/^broker a met \d+$/),
        recoveryMs: expect.any(Number),
      },
    ]);
    expect(said).toEqual([
      'broker: broker a',
      expect.stringMatching(/^ {2}broker a met \d+; recovered in 2\.\d s$/),
    ]);
  });

  test('report a wrong process end unless two faults overlap', async () => {
    const restart = (name: string, group: Fault['group']): Fault<Log> => ({
      ...faultOf(name, group),
      strike: async () => ({ what: '', disorder: `${name} ended with 1`, mendedAt: Date.now() }),
    });

    const { strikes } = await strikesOf(4, [restart('a', 'process'), restart('b', 'broker')], { times: 40 });

    const alone = strikes.filter(({ faults }) => faults.length === 1);
    expect(alone.map(({ disorder }) => disorder)).toEqual(
      alone.map(({ faults }) => `${faults[0]?.name} ended with 1`),
    );
    const pairs = strikes.filter(({ faults }) => faults.length === 2);
    expect(pairs.length).toBeGreaterThan(0);
    expect(pairs.filter(({ disorder }) => disorder !== undefined)).toEqual([]);
  });

  test('without a recovery are reported as NOT RECOVERED', async () => {
    const { strikes, said } = await strikesOf(6, many, { times: 1, recoveryMs: null });

    expect(strikes.map(({ recoveryMs }) => recoveryMs)).toEqual([null]);
    expect(said.at(-1)).toMatch(/NOT RECOVERED$/);
  });
});
