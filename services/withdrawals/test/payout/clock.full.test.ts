import { expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { error500, eventually, silence } from '@plataforma/testing';
import { endsOf } from '../support/ends-of.ts';
import { startHourAhead } from '../support/service-process.ts';
import { startWorld } from '../support/world.ts';
import { agreeingWorld } from './support/payouts.ts';

const NO_JOBS = { scheduleEveryMs: 3_600_000 };

const world = agreeingWorld(() => startWorld({ tuning: NO_JOBS }));

/** Expects that a replica with a correct clock completes the withdrawal, and that the bank pays it once. */
async function endsIt(merchant: Tenant, id: string): Promise<void> {
  const successor = await world.startReplica({ scheduleEveryMs: 20 });
  await eventually(async () =>
    expect(await successor.client.withdrawal(merchant, id)).toMatchObject({ status: 'COMPLETED' }),
  );
  await successor.stop();
  expect(await endsOf(world, id)).toHaveLength(1);
}

test('a payout ordered by a fast-clock replica is continued', async () => {
  const merchant = world.newMerchant();
  const { id } = await world.client.newWithdrawal(merchant);
  world.bank.paysAtOnce(false);
  const ahead = await startHourAhead(world.env);
  await eventually(async () => expect((await world.rowOf(id))?.accepted_at).toBeInstanceOf(Date));
  await ahead.terminate();

  world.bank.paysAtOnce(true);
  world.bank.end(id, 'REALIZADO');

  await endsIt(merchant, id);
});

test('the lease of a dead fast-clock replica expires in time', async () => {
  const merchant = world.newMerchant();
  const { id } = await world.client.newWithdrawal(merchant);
  const met = Promise.withResolvers<void>();
  world.bank.next('order', (perform) => {
    met.resolve();
    return silence(perform);
  });
  const ahead = await startHourAhead(world.env);
  await met.promise;

  await ahead.kill();

  await endsIt(merchant, id);
});

test('a refusal stays unconfirmed for the configured time', async () => {
  const unconfirmed = `SELECT 1 FROM withdrawals
    WHERE id = $1 AND doubted_at BETWEEN now() - interval '10 min' AND now()
      AND next_check_at BETWEEN now() + interval '20 min' AND now() + interval '30 min'`;
  const merchant = world.newMerchant();
  const { id } = await world.client.newWithdrawal(merchant);
  const refused = () => ({ status: 400, body: { nome: 'chave_invalida' } });
  world.bank.next('order', error500, refused);

  const ahead = await startHourAhead(world.env);
  await eventually(async () => expect(await world.database.query(unconfirmed, [id])).toHaveLength(1));
  await ahead.terminate();

  expect(await world.rowOf(id)).toMatchObject({ status: 'PROCESSING' });
});
