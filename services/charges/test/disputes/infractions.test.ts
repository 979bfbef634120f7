import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { error500, eventually, PATIENCE_MS } from '@plataforma/testing';
import { newTenant } from '../support/identity.ts';
import { type PaidCharge, type RefundWorld, startRefundWorld } from '../support/refund-world.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import type { Replica } from '../support/world.ts';

let world: RefundWorld;
let second: Replica;

beforeAll(async () => {
  world = await startRefundWorld();
  second = await world.startReplica();
});
afterAll(() => world.stop());

const DAY_MS = 86_400_000;
const book = () => world.provider.book;
const disputesOf = async ({ tenant }: PaidCharge) => {
  const { data } = await world.call(tenant, '/v1/disputes');
  return Array.isArray(data) ? data : [];
};
const opens = (charge: PaidCharge) =>
  eventually(async () => {
    const [dispute, ...more] = await disputesOf(charge);
    expect([dispute, more]).toEqual([expect.anything(), []]);
    return dispute;
  });

/** Every list of infractions has been asked for twice more, or nearly. */
async function readAgain(of: RefundWorld = world): Promise<void> {
  const read = () => of.provider.requests.filter((each) => each.operation === 'list-infractions').length;
  const before = read();
  await eventually(() => expect(read()).toBeGreaterThanOrEqual(before + 4));
}

describe('a payment that its payer’s bank contests', () => {
  test('is disputed though another infraction can’t be stored, which is tried until it can', async () => {
    const [stuck, free] = [await world.paidCharge(), await world.paidCharge()];
    await world.database.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room'; END $$`);
    await world.database.query(`
      CREATE TRIGGER refuse BEFORE INSERT ON disputes FOR EACH ROW
      WHEN (NEW.charge_id = '${stuck.id}') EXECUTE FUNCTION refuse()`);
    book().infractions.report(stuck.pix, 1700);
    await readAgain();

    book().infractions.report(free.pix, 1700);
    await opens(free);
    const meanwhile = await disputesOf(stuck);
    await world.database.query('DROP TRIGGER refuse ON disputes');

    await opens(stuck);
    expect(meanwhile).toEqual([]);
  });

  test('is disputed once, however often two replicas hear and read of it', async () => {
    const charge = await world.paidCharge({ amount: 2500 });
    const infraction = book().infractions.report(charge.pix, 1700);

    const { idInfracao } = infraction;
    const notice = { infracoes: [{ idInfracao }] };
    const told = await Promise.all(
      Array.from({ length: 10 }, (_, i) => world.tell(notice, i % 2 ? world.client : second.client)),
    );
    const dispute = await opens(charge);
    await readAgain();

    expect(told.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await disputesOf(charge)).toEqual([dispute]);
    expect(dispute).toMatchObject({
      chargeId: charge.id,
      amount: 1700,
      reason: 'FRAUD',
      description: 'não fui eu',
      status: 'OPEN',
      deadline: infraction.prazo,
    });
    expect(await world.eventsOf(dispute.id)).toMatchObject([{ type: 'dispute.opened', sequence: 1 }]);
    expect((await charge.now()).status).toBe('DISPUTED');
    const rows = await world.database.query('SELECT id FROM audit_log WHERE subject_id = $1', [dispute.id]);
    expect(rows).toEqual([]);
  });

  test('is disputed in what it was paid, when its bank says more', async () => {
    const charge = await world.paidCharge({ amount: 2500 });
    book().infractions.report(charge.pix, 9_999);

    expect(await opens(charge)).toMatchObject({ amount: 2500 });
  });

  test('is not disputed again when that has been decided', async () => {
    const charge = await world.paidCharge();
    book().infractions.report(charge.pix, 1000);
    const { id } = await opens(charge);
    await world.operate(`/disputes/${id}/resolve`, { outcome: 'MERCHANT', resolution: 'x' });

    await readAgain();

    expect(await disputesOf(charge)).toMatchObject([{ id, status: 'RESOLVED_MERCHANT' }]);
    expect((await charge.now()).status).toBe('PAID');
  });

  test('is not disputed when its bank has closed the case', async () => {
    const charge = await world.paidCharge();
    book().infractions.report(charge.pix, 1000, { status: 'ENCERRADA' });

    await readAgain();

    expect(await disputesOf(charge)).toEqual([]);
  });

  test('is one of two under one number when two providers use it', async () => {
    const sandbox = await world.paidCharge();
    const production = await world.paidCharge({}, { tenant: newTenant('production') });
    const idInfracao = newId();
    book().infractions.report(sandbox.pix, 1000, { idInfracao });
    book().infractions.report(production.pix, 1100, { idInfracao });

    const disputes = [await opens(sandbox), await opens(production)];

    expect(disputes).toMatchObject([{ amount: 1000 }, { amount: 1100 }]);
  });
});

describe('a payment that is contested while it is refunded', () => {
  // A reading that had begun before moves the cursor on again: here one replica reads, and then leaves some time.
  let busy: RefundWorld;
  beforeAll(async () => {
    busy = world;
    world = await startRefundWorld({ tuning: { readListsEveryMs: 1_500 } });
  });
  afterAll(async () => {
    await world.stop();
    world = busy;
  });

  const BEGUN = `
    SELECT next_at FROM provider_cursors WHERE list = 'infractions' AND environment = 'sandbox'`;
  const GO_BACK = `UPDATE provider_cursors SET read_until = now() - interval '10 hours' WHERE list = 'infractions'`;
  const WAITS = `
    SELECT read_until < now() - interval '9 hours' AS waits FROM provider_cursors
    WHERE list = 'infractions' AND environment = 'sandbox'`;

  /** Contested thirty hours ago, when the list was last read to its end: it waits there. */
  async function contestedLongAgo(amount: number) {
    const charge = await world.paidCharge({ amount: 2500 });
    book().returns.willBe(charge.pix, 'EM_PROCESSAMENTO');
    await eventually(async () => expect((await charge.now()).status).toBe('PAID'));
    await charge.refund({ amount });
    await charge.becomes('ACCEPTED');
    const criacao = new Date(Date.now() - 1.25 * DAY_MS).toISOString();
    book().infractions.report(charge.pix, 2500, { criacao });
    await eventually(
      async () => {
        // A reading that has begun before may still move it on, once.
        await world.database.query(GO_BACK);
        await readingBegins();
        await readingBegins();
        expect(await world.database.query(WAITS)).toEqual([{ waits: true }]);
      },
      { timeoutMs: 2 * PATIENCE_MS },
    );
    return charge;
  }

  /** Whatever was being read is over, and the list is being read once more. */
  async function readingBegins(): Promise<void> {
    const before = await world.database.query(BEGUN);
    await eventually(async () => expect(await world.database.query(BEGUN)).not.toEqual(before));
  }

  test('is disputed when the refund has ended, in what is left', async () => {
    const charge = await contestedLongAgo(2000);
    const meanwhile = await disputesOf(charge);

    book().returns.end(charge.pix, 'DEVOLVIDO');

    expect(meanwhile).toEqual([]);
    expect(await opens(charge)).toMatchObject({ amount: 500, status: 'OPEN' });
  });

  test('is disputed in all of it when the refund came to nothing', async () => {
    const charge = await contestedLongAgo(2500);

    book().returns.end(charge.pix, 'NAO_REALIZADO');

    expect(await opens(charge)).toMatchObject({ amount: 2500, status: 'OPEN' });
    expect((await charge.now()).status).toBe('DISPUTED');
  });

  test('is not disputed when the refund has left nothing', async () => {
    const charge = await contestedLongAgo(2500);

    book().returns.end(charge.pix, 'DEVOLVIDO');
    await charge.becomes('DONE');
    await readAgain();

    expect(await disputesOf(charge)).toEqual([]);
    expect(await charge.now()).toMatchObject({ status: 'REFUNDED', refundedAmount: 2500 });
  });
});

describe('a provider’s list of infractions', () => {
  let unhurried: RefundWorld;
  let service: ServiceProcess;

  // Read when it is told of, and by a process whose log can be read.
  beforeAll(async () => {
    unhurried = await startRefundWorld({ tuning: { readListsEveryMs: 600_000 } });
    await unhurried.first.stop();
    service = await startServiceProcess({ ...unhurried.env, LOG_LEVEL: 'warn' });
  });
  afterAll(async () => {
    await service.kill();
    await unhurried.stop();
  });

  const lists = () =>
    unhurried.provider.requests.filter((each) => each.operation === 'list-infractions').length;
  const contest = (endToEndId: string) => {
    const { idInfracao } = unhurried.provider.book.infractions.report(endToEndId, 1000);
    return unhurried.tell({ infracoes: [{ idInfracao }] }, service.client);
  };

  test('is read when it is told of, and again when the provider was away', async () => {
    const charge = await unhurried.paidCharge({}, { at: service.client });
    unhurried.provider.always('list-infractions', error500);
    const before = lists();
    await contest(charge.pix);
    await eventually(() => expect(lists()).toBeGreaterThanOrEqual(before + 1));
    unhurried.provider.always('list-infractions');

    await contest(charge.pix);

    await eventually(async () => expect((await charge.now()).status).toBe('DISPUTED'));
  });

  test('may name a payment that paid no charge: that is logged, and the others are taken up', async () => {
    const charge = await unhurried.paidCharge({}, { at: service.client });
    unhurried.provider.book.infractions.report(`E99999999${newId().slice(-12)}`, 1000);

    await contest(charge.pix);

    await eventually(async () => expect((await charge.now()).status).toBe('DISPUTED'));
    const warning = /"level":"warn".*a payment that paid no charge of ours is contested/;
    await eventually(() => expect(service.output()).toMatch(warning));
  });
});
