import { beforeAll, describe, expect, test } from '@jest/globals';
import { blocking, eventually, rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({ tuning: { readListsEveryMs: 50 } }));

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

describe('the provider’s list of payments', () => {
  test('reports payments that no callback reported', async () => {
    const charge = await world.client.newCharge(tenant);

    world.provider.book.pay(charge.txid, { isListed: true });

    await eventually(async () => expect(await statusOf(charge.id)).toBe('PAID'));
  });

  test('pays a charge even when the charge itself shows no payment', async () => {
    const charge = await world.client.newCharge(tenant);

    world.provider.book.payKey(2500, charge.txid);

    await eventually(async () => expect(await statusOf(charge.id)).toBe('PAID'));
  });

  test('is read from its position until all payments are recorded', async () => {
    const [stuck, free] = [await world.client.newCharge(tenant), await world.client.newCharge(tenant)];
    await world.database.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room'; END
      $$`);
    await world.database.query(`
      CREATE TRIGGER refuse BEFORE INSERT ON payments FOR EACH ROW
      WHEN (NEW.charge_id = '${stuck.id}') EXECUTE FUNCTION refuse()`);
    world.provider.book.payKey(2500, stuck.txid);
    await listReadAgain(4);
    const stoodAt = await readUntil();

    world.provider.book.payKey(2500, free.txid);
    await eventually(async () => expect(await statusOf(free.id)).toBe('PAID'));
    await listReadAgain(4);

    expect(await statusOf(stuck.id)).toBe('PENDING');
    expect(await readUntil()).toEqual(stoodAt);
    await world.database.query('DROP TRIGGER refuse ON payments');
    await eventually(async () => expect(await statusOf(stuck.id)).toBe('PAID'));
    await eventually(async () => expect((await readUntil()).getTime()).toBeGreaterThan(stoodAt.getTime()));
  });

  test('is read again for payments listed up to two days late', async () => {
    const charge = await world.client.newCharge(tenant);
    const pix = world.provider.book.payKey(2500, charge.txid);
    pix.horario = new Date(Date.now() - 5 * 3_600_000).toISOString();
    await listReadAgain(3);
    const before = await statusOf(charge.id);

    await world.database.query(`UPDATE provider_cursors SET next_at = now() WHERE list = 'late_payments'`);

    await eventually(async () => expect(await statusOf(charge.id)).toBe('PAID'));
    expect(before).toBe('PENDING');
  });
});

describe('a payment with one number', () => {
  const causesOf = async (endToEndId: string) => {
    const rows = await world.database.query<{ cause: string }>(
      'SELECT cause FROM unexpected_payments WHERE end_to_end_id = $1',
      [endToEndId],
    );
    return rows.map(({ cause }) => cause);
  };
  const showPayment = (txid: string, pix: object) => {
    const cob = world.provider.book.find(txid);
    if (!cob) throw new Error('the provider forgot a charge');
    Object.assign(cob, { status: 'CONCLUIDA', payments: [pix] });
  };

  test('returned as unmatched pays no charge later', async () => {
    const charge = await world.client.newCharge(tenant);
    const pix = world.provider.book.payKey(2500);
    await eventually(async () => expect(await causesOf(pix.endToEndId)).toEqual(['UNKNOWN_CHARGE']));

    showPayment(charge.txid, pix);
    await world.client.notify(charge.txid);
    await world.letTimeRunOut(charge.id);

    await eventually(async () => expect(await statusOf(charge.id)).toBe('EXPIRED'));
    expect((await world.eventsOf(charge.id)).map(({ type }) => type)).toEqual(['charge.expired']);
  });

  test.each([
    ['the same amount', 2500],
    ['another amount', 2400],
  ])('of one charge stays there when another of %s shows it', async (_what, amount) => {
    const [first, second] = [
      await world.client.newCharge(tenant),
      await world.client.newCharge(tenant, { amount }),
    ];
    const [pix] = world.provider.book.pay(first.txid);
    if (!pix) throw new Error('nothing was paid');
    await world.client.notify(first.txid);

    showPayment(second.txid, pix);
    const notified = await world.client.notify(second.txid);
    await world.letTimeRunOut(second.id);

    expect(notified.status).toBe(200);
    await eventually(async () => expect(await statusOf(second.id)).toBe('EXPIRED'));
    expect(await statusOf(first.id)).toBe('PAID');
    expect(await causesOf(pix.endToEndId)).toEqual([]);
  });

  test('is recorded once by concurrent callbacks and the list', async () => {
    for (let round = 0; round < rounds(50); round += 1) {
      const charge = await world.client.newCharge(tenant);
      const [pix] = world.provider.book.pay(charge.txid, { isListed: true });
      await Promise.all([world.client.notify(charge.txid), world.client.notify(charge.txid)]);
      expect(await statusOf(charge.id)).toBe('PAID');
      expect(await causesOf(String(pix?.endToEndId))).toEqual([]);
    }
  });
});

describe('a slowly read list', () => {
  const two = worldOfFile(() => startWorld({ tuning: { readListsEveryMs: 50, leaseMs: 300 } }));
  beforeAll(() => two.startReplica());

  const listed = async (environment: 'sandbox' | 'production') => {
    const own = newTenant(environment);
    const { id, txid } = await two.client.newCharge(own);
    two.provider.book.pay(txid, { isListed: true });
    return async () => (await two.client.charge(own, id)).status;
  };
  const positions = async () => {
    const rows = await two.database.query<{ read_until: Date }>(
      `SELECT read_until FROM provider_cursors WHERE list = 'payments' ORDER BY environment`,
    );
    return rows.map(({ read_until }) => read_until.getTime());
  };

  test('is taken over after its lease and delays no other', async () => {
    const lateIsRead = `
      SELECT bool_and(next_at > now() + interval '50 minutes') AS is_read FROM provider_cursors
      WHERE list = 'late_payments'`;
    await eventually(async () => expect(await two.database.query(lateIsRead)).toEqual([{ is_read: true }]));
    const blocked = blocking();
    two.provider.next('list-payments', blocked.behaviour);
    await blocked.arrived;

    const statuses = [await listed('sandbox'), await listed('production')];
    for (const status of statuses) await eventually(async () => expect(await status()).toBe('PAID'));
    const before = await positions();
    blocked.release();

    await eventually(async () => {
      const after = await positions();
      expect(after.every((at, index) => at > (before[index] ?? 0))).toBe(true);
    });
  });
});
