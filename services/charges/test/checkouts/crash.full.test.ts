import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Behaviour, doneThenSilence, eventually, silence } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startCheckoutWorld } from '../support/checkout-world.ts';
import { killAt, type Meet, met } from '../support/crashes.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const world = worldOfFile(() => startCheckoutWorld({ tuning: { leaseMs: 300 } }));
let doomed: ServiceProcess;
beforeEach(async () => {
  doomed = await startServiceProcess(world.env);
});
afterEach(() => doomed.kill());

const atPix =
  (operation: 'create' | 'remove'): Meet =>
  (behaviour) =>
    world.provider.next(operation, behaviour);
const atAcquirer: Meet = (behaviour) => world.acquirer.next('pay', behaviour);
const killDuring = (meet: Meet, behaviour: Behaviour, work: () => Promise<unknown>) =>
  killAt(met(meet, behaviour), doomed, work);

const crashes: [string, Behaviour][] = [
  ['before the provider received it', silence],
  ['after the provider did it', doneThenSilence],
];

describe.each(crashes)('a process killed, %s,', (_what, behaviour) => {
  test('while creating a code leaves the visit its use', async () => {
    const { buyer, counts, statuses } = await world.visited();

    await killDuring(atPix('create'), behaviour, () => buyer.byPix(doomed.client));
    const reserved = await counts();
    const { data } = await buyer.byPix();
    await buyer.payCode();

    expect(reserved).toEqual({ usesTaken: 1, payments: 0 });
    expect(data).toMatchObject({ state: 'PIX', charge: { qrCode: expect.any(String) } });
    expect([await statuses(), await counts()]).toEqual([['PAID'], { usesTaken: 1, payments: 1 }]);
  });

  test('while removing a code lets the card pay later', async () => {
    const { buyer, counts, statuses } = await world.visited();
    await buyer.byPix();
    const card = world.newCard();

    await killDuring(atPix('remove'), behaviour, () => buyer.byCard(card, {}, doomed.client));
    const between = await counts();
    const { data } = await buyer.byCard(card);

    expect([between, data]).toMatchObject([{ usesTaken: 1, payments: 0 }, { state: 'PAID' }]);
    expect([await statuses(), await counts()]).toEqual([
      ['CANCELLED', 'PAID'],
      { usesTaken: 1, payments: 1 },
    ]);
    expect(world.acquirer.book.ofCard(card)).toHaveLength(1);
  });

  test('while charging a card leaves it charged once', async () => {
    const { buyer, counts } = await world.visited();
    const card = world.newCard();
    const cardToken = world.acquirer.book.tokenize(card);

    await killDuring(atAcquirer, behaviour, () => buyer.byCard(card, { cardToken }, doomed.client));
    const waiting = await buyer.now();
    await eventually(async () =>
      expect((await buyer.byCard(card, { cardToken })).data).toMatchObject({ state: 'PAID' }),
    );

    expect(waiting).toMatchObject({ state: 'PROCESSING' });
    expect(await counts()).toEqual({ usesTaken: 1, payments: 1 });
    expect(world.acquirer.book.ofCard(card)).toHaveLength(1);
  });
});

test('a charged card pays the visit without its buyer’s return', async () => {
  const { link, buyer, counts } = await world.visited();
  const card = world.newCard();

  await killDuring(atAcquirer, doneThenSilence, () => buyer.byCard(card, {}, doomed.client));
  const [{ id } = { id: '' }] = await world.chargesOf(link.id);
  await world.database.query(
    `UPDATE charges SET next_check_at = now(), lease_until = now() - interval '1 s' WHERE id = $1`,
    [id],
  );

  await eventually(async () => expect(await counts()).toEqual({ usesTaken: 1, payments: 1 }));
  expect(await world.eventsOf(id)).toMatchObject([{ type: 'charge.paid' }]);
  expect(world.acquirer.book.ofCard(card)).toMatchObject([{ status: 'paid' }]);
});
