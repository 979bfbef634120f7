import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { error500, eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { newTenant } from '../support/identity.ts';
import { disputesIn, infractionsRead, oneDisputeOf } from '../support/infractions.ts';
import { type PaidCharge, startRefundWorld } from '../support/refund-world.ts';
import { processOfFile } from '../support/service-process.ts';

const world = worldOfFile(startRefundWorld);
const second = beforeFile(() => world.startReplica());

const book = () => world.provider.book;
const disputesOf = (charge: PaidCharge) => disputesIn(world, charge);
const opens = (charge: PaidCharge) => oneDisputeOf(world, charge);
const readAgain = () => infractionsRead(world);

describe('a payment contested by its payer’s bank', () => {
  test('is disputed although another infraction cannot be stored yet', async () => {
    const [stuck, free] = [await world.paidCharge(), await world.paidCharge()];
    await world.database.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room'; END
      $$`);
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

  test('is disputed once despite repeated callbacks and reads', async () => {
    const charge = await world.paidCharge({ amount: 2500 });
    const infraction = book().infractions.report(charge.pix, 1700);

    const { idInfracao } = infraction;
    const notice = { infracoes: [{ idInfracao }] };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => world.notify(notice, i % 2 ? world.client : second.client)),
    );
    const dispute = await opens(charge);
    await readAgain();

    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
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

  test.each([
    [{ prazo: '2099-01-02T03:04:05.000Z' }, { deadline: '2099-01-02T03:04:05.000Z', reason: 'FRAUD' }],
    [{ motivo: 'OPERATIONAL_FLAW' }, { reason: 'OPERATIONAL' }],
    [{ descricao: 'golpe' }, { description: 'golpe' }],
  ])('updates its dispute with %j and announces it once', async (change, shown) => {
    const charge = await world.paidCharge();
    const infraction = book().infractions.report(charge.pix, 1000);
    const { id, status } = await opens(charge);

    Object.assign(infraction, change);
    await eventually(async () => expect(await opens(charge)).toMatchObject({ id, status, ...shown }));
    await readAgain();

    expect(await world.eventsOf(id)).toMatchObject([
      { type: 'dispute.opened', sequence: 1 },
      { type: 'dispute.updated', sequence: 2, data: { ...shown, status: 'OPEN', evidenceSentAt: null } },
    ]);
  });

  test('leaves a decided dispute unchanged', async () => {
    const charge = await world.paidCharge();
    const infraction = book().infractions.report(charge.pix, 1000);
    const { id, deadline } = await opens(charge);
    await world.operate(`/disputes/${id}/resolve`, { outcome: 'CUSTOMER', resolution: 'x' });

    Object.assign(infraction, { motivo: 'OPERATIONAL_FLAW', prazo: '2099-01-02T03:04:05.000Z' });
    await readAgain();

    expect(await disputesOf(charge)).toMatchObject([{ id, reason: 'FRAUD', deadline }]);
    expect(await world.eventsOf(id)).toHaveLength(2);
  });

  test('is disputed up to its paid amount only', async () => {
    const charge = await world.paidCharge({ amount: 2500 });
    book().infractions.report(charge.pix, 9_999);

    expect(await opens(charge)).toMatchObject({ amount: 2500 });
  });

  test('is not disputed again after the decision', async () => {
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

  test('has its own dispute despite another provider’s equal infraction number', async () => {
    const sandbox = await world.paidCharge();
    const production = await world.paidCharge({}, { tenant: newTenant('production') });
    const idInfracao = newId();
    book().infractions.report(sandbox.pix, 1000, { idInfracao });
    book().infractions.report(production.pix, 1100, { idInfracao });

    const disputes = [await opens(sandbox), await opens(production)];

    expect(disputes).toMatchObject([{ amount: 1000 }, { amount: 1100 }]);
  });
});

test('an old undecided dispute still gets its bank’s later deadline', async () => {
  const rereading = await startRefundWorld({ tuning: { rereadInfractionsEveryMs: 1_000 } });
  const charge = await rereading.paidCharge();
  const infraction = rereading.provider.book.infractions.report(charge.pix, 1000);
  const { id } = await oneDisputeOf(rereading, charge);
  const daysAgo = new Date(Date.now() - 5 * 86_400_000);
  await rereading.database.query('UPDATE disputes SET created_at = $2 WHERE id = $1', [id, daysAgo]);

  const deadline = '2099-01-02T03:04:05.000Z';
  Object.assign(infraction, { criacao: daysAgo.toISOString(), prazo: deadline });
  await eventually(async () => expect(await oneDisputeOf(rereading, charge)).toMatchObject({ deadline }));
  await infractionsRead(rereading);

  const events = (await rereading.eventsOf(id)).map(({ type }) => type);
  const starts = rereading.provider.requests
    .filter(({ operation }) => operation === 'list-infractions')
    .map(({ query }) => Date.parse(query.get('inicio') ?? ''));
  const long = starts.filter((start) => start < daysAgo.getTime()).length;
  await rereading.stop();
  expect(events).toEqual(['dispute.opened', 'dispute.updated']);
  // The requests include readings of production, which has no dispute. Only readings of the sandbox can begin
  // at the old dispute.
  expect(long).toBeLessThan(starts.length / 4);
});

describe('a provider’s list of infractions', () => {
  // Only a callback makes this service read the list. The service is a separate process, because the test
  // reads its log.
  const unhurried = worldOfFile(() => startRefundWorld({ tuning: { readListsEveryMs: 600_000 } }));
  beforeAll(() => unhurried.first.stop());
  const service = processOfFile(unhurried, 'warn');

  const lists = () =>
    unhurried.provider.requests.filter((each) => each.operation === 'list-infractions').length;
  const contest = (endToEndId: string) => {
    const { idInfracao } = unhurried.provider.book.infractions.report(endToEndId, 1000);
    return unhurried.notify({ infracoes: [{ idInfracao }] }, service.client);
  };

  test('is read after a callback and again after an outage', async () => {
    const charge = await unhurried.paidCharge({}, { at: service.client });
    unhurried.provider.always('list-infractions', error500);
    const before = lists();
    await contest(charge.pix);
    await eventually(() => expect(lists()).toBeGreaterThanOrEqual(before + 1));
    unhurried.provider.always('list-infractions');

    await contest(charge.pix);

    await eventually(async () => expect((await charge.now()).status).toBe('DISPUTED'));
  });

  test('may contest an unmatched payment, which is only logged', async () => {
    const charge = await unhurried.paidCharge({}, { at: service.client });
    unhurried.provider.book.infractions.report(`E99999999${newId().slice(-12)}`, 1000);

    await contest(charge.pix);

    await eventually(async () => expect((await charge.now()).status).toBe('DISPUTED'));
    const warning = /"level":"warn".*unmatched payment contested/;
    await eventually(() => expect(service.output()).toMatch(warning));
  });
});
