import { describe, expect, test } from '@jest/globals';
import { type Bank, startLoopback } from '@plataforma/testing';
import { diceOf } from '../../../src/chaos/dice.ts';
import { allFaults } from '../../../src/chaos/faults/all.ts';
import { breakFor } from '../../../src/chaos/faults/broken.ts';
import { callbackFaults } from '../../../src/chaos/faults/callback.ts';
import { networkFaults } from '../../../src/chaos/faults/network.ts';
import { providerFaults } from '../../../src/chaos/faults/provider.ts';
import type { Behaviour, Link } from '../../../src/chaos/network/link.ts';
import type { Letter, Mistreatment } from '../../../src/chaos/network/post-office.ts';

test('faults have unique names and weights above zero in every group', () => {
  const faults = allFaults({ seed: 0, brokerAwayMs: 1_000 });

  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
  expect(Math.min(...faults.map(({ weight }) => weight))).toBeGreaterThan(0);
  expect([...new Set(faults.map(({ group }) => group))]).toEqual([
    ...['process', 'fail point', 'broker', 'database', 'network', 'provider', 'callback', 'message', 'clock'],
    'insider',
  ]);
});

describe('a fault of limited duration', () => {
  test('is repaired, and the time of repair is reported', async () => {
    const done: string[] = [];
    const startedAt = Date.now();

    const { what, mendedAt } = await breakFor({
      ...{ what: 'a cup', ms: 20 },
      breaks: () => done.push('broken'),
      mends: () => done.push('mended'),
    });

    expect(done).toEqual(['broken', 'mended']);
    expect(what).toBe('a cup');
    expect(mendedAt).toBeGreaterThanOrEqual(startedAt + 15);
  });

  test('is repaired even when it failed half-way', async () => {
    let isMended = false;

    const { what } = await breakFor({
      ...{ what: 'a cup', ms: 600_000 },
      breaks: () => Promise.reject(new Error('too hard')),
      mends() {
        isMended = true;
      },
    });

    expect([isMended, what]).toEqual([true, 'a cup: in vain (too hard)']);
  });

  test('has no effect when no call met it', async () => {
    const steps: string[] = [];
    const cup = { what: 'a cup', ms: 0, breaks: () => undefined, mends: () => steps.push('mended') };
    const meet = (met: boolean) => () => {
      steps.push('met?');
      return met;
    };

    const [missed, met] = [
      await breakFor({ ...cup, isMet: meet(false) }),
      await breakFor({ ...cup, isMet: meet(true) }),
    ];

    expect([missed.isInVain, met.isInVain]).toEqual([true, false]);
    expect(steps).toEqual(['met?', 'mended', 'met?', 'mended']);
  });
});

test('a network fault affects one or all links and then ends', async () => {
  const events: string[] = [];
  const links = ['charges-1 → database', 'charges-1 → broker', 'charges-2 → database'].map(
    (name): Link => ({
      ...{ name, kind: 'database', port: 1 },
      behave: (how: Behaviour) => events.push(`${name} ${how.kind}`),
      lostCommits: () => 0,
      stop: () => Promise.resolve(),
    }),
  );
  const [, cut] = networkFaults;
  const dice = { ...diceOf(1), int: () => 1 };

  await cut.strike({ links }, { ...dice, pick: ([first]) => given(first), oneIn: () => false });
  await cut.strike({ links }, { ...dice, pick: ([first]) => given(first), oneIn: () => true });

  const [database, broker] = ['charges-1 → database', 'charges-1 → broker'];
  expect(events).toEqual([
    ...[`${database} cuts`, `${database} passes`],
    ...[`${database} cuts`, `${broker} cuts`, `${database} passes`, `${broker} passes`],
  ]);
});

test('a provider fault affects every operation and then ends', async () => {
  const events: string[] = [];
  const calls = { times: 1, remaining: 1 };
  const control = await startLoopback(async (_request, response) => {
    response.end(JSON.stringify({ faults: [calls] }));
  });
  const platform = { facts: { sandboxControlUrl: control.url } };
  const bank: Bank = {
    breaks: async (operation, fault, times) => events.push(`${operation} ${fault} ${times}`),
    heals: async () => events.push('heals'),
    control: () => Promise.reject(new Error('not here')),
    truth: () => Promise.reject(new Error('not here')),
  };

  const inVain: unknown[] = [];
  for (const fault of providerFaults) {
    calls.remaining = fault.name === 'provider silent' ? 0 : 1;
    inVain.push((await fault.strike({ bank, platform }, { ...diceOf(1), int: () => 1 })).isInVain);
  }
  await control.stop();

  const operations = 'pix.create pix.read pix.refund card.charge card.refund payout.create payout.read'.split(
    ' ',
  );
  const faults = ['timeout', 'reset', 'error500', 'garbage', 'done_then_500'];
  expect(events).toEqual(
    faults.flatMap((fault) => [...operations.map((operation) => `${operation} ${fault} 1`), 'heals']),
  );
  expect(inVain).toEqual([false, true, true, true, true]);
});

test('a callback fault changes some callbacks and then ends', async () => {
  const events: string[] = [];
  const letters: Letter[] = [];
  const postOffice = {
    ...{ url: '', letters, stop: () => Promise.resolve() },
    mistreat({ kind }: Mistreatment) {
      events.push(kind);
      if (kind === 'late') letters.push({ path: '', body: '', how: kind, receivedAt: 0, answers: [] });
    },
    heal: () => events.push('healed'),
  };

  const inVain: unknown[] = [];
  for (const fault of callbackFaults)
    inVain.push((await fault.strike({ postOffice }, { ...diceOf(1), int: () => 1 })).isInVain);

  const kinds = ['duplicated', 'reordered', 'lost', 'late', 'forged'];
  expect(events).toEqual(kinds.flatMap((kind) => [kind, 'healed']));
  expect(inVain).toEqual([true, true, true, false, true]);
});

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
}
