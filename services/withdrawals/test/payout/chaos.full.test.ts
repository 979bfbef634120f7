import { randomInt } from 'node:crypto';
import { expect, test } from '@jest/globals';
import {
  type Behaviour,
  doneThen500,
  doneThenGarbage,
  doneThenReset,
  doneThenSilence,
  error500,
  eventually,
  honest,
  reset,
  rounds,
  silence,
  tokenEnded,
} from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { newOrder } from '../support/client.ts';
import { startWorld } from '../support/world.ts';
import { disagreements } from './support/payouts.ts';

// `unconfirmedMs` is longer than the time for which a request to the provider can be under way.
const world = worldOfFile(() =>
  startWorld({ tuning: { leaseMs: 1_000, providerTimeoutMs: 500, unconfirmedMs: 4_000 } }),
);

const refused: Behaviour = () => ({ status: 400, body: { nome: 'chave_invalida' } });
const notFound: Behaviour = () => ({ status: 404, body: { nome: 'envio_nao_encontrado' } });
const luck = {
  order: [honest, silence, reset, error500, refused, doneThen500, doneThenReset, doneThenSilence, tokenEnded],
  find: [honest, silence, reset, error500, notFound, doneThenGarbage, tokenEnded],
} as const;

/** Returns pseudo-random numbers (mulberry32). The same seed gives the same numbers. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

test('any bank faults leave each withdrawal paid or returned once', async () => {
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
  const roll = dice(seed);
  const other = await world.startReplica();
  for (const operation of ['order', 'find'] as const) {
    const randomBehaviour: Behaviour = (perform) =>
      (luck[operation][roll(luck[operation].length)] ?? honest)(perform);
    world.bank.always(operation, randomBehaviour);
  }
  const merchant = world.newMerchant();
  const created = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      [world.client, other.client][i % 2]?.newWithdrawal(merchant, newOrder()),
    ),
  );
  const ids = created.flatMap((withdrawal) => withdrawal?.id ?? []);
  for (let round = 0; round < rounds(15); round += 1) {
    const some = ids.filter(() => roll(3) === 0);
    await Promise.all([world.client.notify(...some), other.client.notify(...some.reverse())]);
  }

  for (const operation of ['order', 'find'] as const) world.bank.always(operation);
  const open = `SELECT id FROM withdrawals WHERE status NOT IN ('COMPLETED', 'FAILED')`;
  await eventually(
    async () => {
      const left = (await world.database.query(open)).map(({ id }) => String(id));
      await world.client.notify(...left);
      expect({ seed, left }).toEqual({ seed, left: [] });
    },
    { intervalMs: 100 },
  );

  expect({ seed, wrong: await disagreements(world) }).toEqual({ seed, wrong: [] });
});
