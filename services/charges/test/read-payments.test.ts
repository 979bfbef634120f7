import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { newTenant } from './support/identity.ts';
import { startWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ tuning: { readListsEveryMs: 50 } });
});
afterAll(() => world.stop());

const tenant = newTenant();
const statusOf = async (id: string) => (await world.client.charge(tenant, id)).status;

async function readUntil(): Promise<Date> {
  const [row] = await world.database.query<{ read_until: Date }>(
    `SELECT read_until FROM provider_cursors WHERE environment = 'sandbox' AND list = 'payments'`,
  );
  if (!row) throw new Error('the list was never read');
  return row.read_until;
}

async function listReadAgain(times: number): Promise<void> {
  const count = () => world.provider.requests.filter(({ operation }) => operation === 'list-payments').length;
  const before = count();
  await eventually(() => expect(count()).toBeGreaterThan(before + times));
}

describe('the provider’s own list', () => {
  test('tells of payments no notice told of', async () => {
    const charge = await world.client.newCharge(tenant);

    world.provider.book.pay(charge.txid, { isListed: true });

    await eventually(async () => expect(await statusOf(charge.id)).toBe('PAID'));
  });

  test('is read from the same place until all of it is recorded; what can’t be yet holds up nothing else', async () => {
    const [early, late] = [await world.client.newCharge(tenant), await world.client.newCharge(tenant)];
    // Listed already, while the charge does not show it yet: the two lag behind each other at real providers.
    const pix = world.provider.book.payKey(2500, early.txid);
    await listReadAgain(4);
    const stoodAt = await readUntil();

    world.provider.book.pay(late.txid, { isListed: true });
    await eventually(async () => expect(await statusOf(late.id)).toBe('PAID'));
    await listReadAgain(4);

    expect(await statusOf(early.id)).toBe('PENDING');
    expect(await readUntil()).toEqual(stoodAt);
    const cob = world.provider.book.find(early.txid);
    if (!cob) throw new Error('the provider forgot a charge');
    Object.assign(cob, { status: 'CONCLUIDA', payments: [pix] });
    await eventually(async () => expect(await statusOf(early.id)).toBe('PAID'));
    await eventually(async () => expect((await readUntil()).getTime()).toBeGreaterThan(stoodAt.getTime()));
  });
});
