import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditHashOf } from '@plataforma/tables';
import pg from 'pg';
import { eventually, rowsAt, withDatabase } from '../../src/index.ts';
import { tamper } from './tamper.ts';
import { openTill } from './till.ts';
import { type Cast, startCast } from './world.ts';

const keepers = ['gateway', 'charges', 'withdrawals', 'webhooks'] as const;
/** The test waits for minutes, because each service checks only once a minute whether a new anchor is due. */
const SOON = { timeoutMs: 240_000 };

let world: Cast;
let ledger: string;

beforeAll(async () => {
  world = await startCast({ replicas: 1 });
  ledger = world.platform.databaseUrls.ledger;
});
afterAll(() => world?.stop());

const auditLog = () => world.operator.get('/v1/admin/ledger/audit-log/verify');
const books = async () => (await world.operator.get('/v1/admin/ledger/verify')).data;
const keptBy = (names: readonly string[], found: object) => names.map((service) => ({ service, ...found }));

test('every other service stores the ledger’s audit and journal heads', async () => {
  await (await openTill(world)).aPaidCharge(9_000);
  const { list: merchants } = await world.operator.get('/v1/admin/merchants');
  const adjustment = {
    merchantId: merchants[0]?.id,
    environment: 'sandbox',
    description: 'Estorno de tarifa',
  };
  for (const amount of [100, 200, 300])
    expect(
      await world.operator.post('/v1/admin/ledger/adjustments', { ...adjustment, amount }),
    ).toMatchObject({ status: 201 });

  await tamper(ledger, 'UPDATE chain_heads SET next_at = now()', []);

  const ANCHORS = "SELECT chain, sequence::int FROM chain_anchors WHERE service = 'ledger' ORDER BY chain";
  for (const keeper of keepers)
    await eventually(async () => {
      expect(await rowsAt(world.platform.databaseUrls[keeper], ANCHORS)).toEqual([
        { chain: 'audit', sequence: 3 },
        { chain: 'journal', sequence: 1 },
      ]);
    }, SOON);
  expect((await auditLog()).data).toMatchObject({
    ...{ isIntact: true, rows: 3, anchored: { sequence: 3 } },
    keptBy: keptBy(keepers, { lastSequence: 3, firstBrokenSequence: null }),
  });
  expect(await books()).toMatchObject({
    differences: [],
    journal: {
      ...{ isIntact: true, anchored: { sequence: 1 }, next: null },
      keptBy: keptBy(keepers, { lastSequence: 1, firstBrokenSequence: null }),
    },
  });
}, 600_000);

test('the ledger’s own database role can forge no row', async () => {
  const role = pg.escapeIdentifier(`${new URL(ledger).pathname.slice(1)}_app`);
  const asItself = (statement: string) =>
    withDatabase(ledger, async (client) => {
      await client.query(`SET ROLE ${role}`);
      return client.query(statement);
    });

  await asItself('SELECT count(*) FROM audit_log');
  for (const forgery of [
    "UPDATE audit_log SET reason = 'forjado' WHERE sequence = 2",
    'DELETE FROM audit_log WHERE sequence = 3',
    'ALTER TABLE audit_log DISABLE TRIGGER ALL',
    'UPDATE journal_heads SET hash = sha256(hash)',
    "UPDATE chain_anchors SET hash = 'forjado'",
  ])
    await expect(asItself(forgery)).rejects.toMatchObject({ code: '42501' });
});

test('other services’ anchors reveal a forgery by the database owner', async () => {
  await tamper(ledger, "UPDATE audit_log SET reason = 'forjado' WHERE sequence = $1", [2]);
  const REHASH = `UPDATE audit_log SET hash = ${auditHashOf('audit_log')} WHERE sequence = $1`;
  const RELINK = `UPDATE audit_log SET previous_hash = before.hash FROM audit_log before
    WHERE audit_log.sequence = $1 AND before.sequence = $1 - 1`;
  for (const [statement, sequence] of [
    [REHASH, 2],
    [RELINK, 3],
    [REHASH, 3],
  ] as const)
    await tamper(ledger, statement, [sequence]);
  await tamper(ledger, 'UPDATE journal_heads SET hash = sha256(hash)', []);

  const broken = { lastSequence: 3, firstBrokenSequence: 3 };
  expect((await auditLog()).data).toMatchObject({
    // The forged hashes form a valid chain, so only the anchors that other services store reveal the forgery.
    ...{ isIntact: false, rows: 3, firstBrokenSequence: 3 },
    keptBy: keptBy(keepers, broken),
  });
  expect(await books()).toMatchObject({
    differences: [],
    journal: {
      isIntact: false,
      firstBrokenSequence: 1,
      keptBy: keptBy(keepers, { lastSequence: 1, firstBrokenSequence: 1 }),
    },
  });

  // The ledger can verify its hash chains if three of the services that store their anchors answer, but not
  // if only one service answers.
  await world.platform.services.webhooks.kill();
  expect((await auditLog()).data).toMatchObject({
    ...{ isIntact: false, firstBrokenSequence: 3 },
    keptBy: keptBy(['gateway', 'charges', 'withdrawals'], broken),
  });
  await world.platform.services.charges.kill();
  await world.platform.services.withdrawals.kill();
  expect(await auditLog()).toMatchObject({ status: 503 });
  for (const name of ['charges', 'withdrawals', 'webhooks'] as const)
    await world.platform.services[name].start();
}, 300_000);
