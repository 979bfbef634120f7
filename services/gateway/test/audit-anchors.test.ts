import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { systemClock } from '@plataforma/kernel';
import { verifyAudit } from '@plataforma/tables';
import { eventually } from '@plataforma/testing';
import { openAt } from '@plataforma/testing/world';
import { startSchedule } from '../src/schedule.ts';
import { readEpochGauges } from '../src/store/audit-epoch-proposals.ts';
import { act, rewriteFrom, startKeptChains, tamper } from './support/kept-chains.ts';
import { operatorAs } from './support/operators.ts';

type Operator = Awaited<ReturnType<typeof operatorAs>>;

let chains: Awaited<ReturnType<typeof startKeptChains>>;
/** The ledger's database. The tests rewrite its audit log with the rights of the database's owner. */
let ledger: Database;
let support: Operator;
let finance: Operator;
let second: Operator;

beforeAll(async () => {
  chains = await startKeptChains();
  ledger = chains.databaseOf('ledger');
  support = await operatorAs(chains.world, 'SUPPORT');
  finance = await operatorAs(chains.world, 'FINANCE', { days: 3 });
  second = await operatorAs(chains.world, 'FINANCE', { days: 2 });
});
afterAll(() => chains.stop());

async function anchorOf(service: string) {
  const { headers } = support;
  const { json } = await chains.world.call('/v1/admin/audit-anchors', { headers });
  const anchors: unknown = json.data;
  if (!Array.isArray(anchors)) throw new Error('there is no list of anchors');
  return anchors.find((anchor) => anchor.service === service && anchor.chain === 'audit');
}

const verify = (service: string, limit: number) =>
  chains.world.call(`/v1/admin/${service}/audit-log/verify?limit=${limit}`, { headers: support.headers });

const epochsInAuditLog = () =>
  chains.world.database.query(
    "SELECT action, operator_id, after FROM audit_log WHERE action LIKE 'audit_log.%' ORDER BY sequence",
  );

async function beginEpoch({ headers } = finance, service = 'ledger') {
  const body = { service, reason: 'banco restaurado' };
  return chains.world.post('/v1/admin/audit-epochs', body, headers);
}

test('the hourly check advances the anchor of an intact chain', async () => {
  for (const reason of ['1', '2', '3']) await act(ledger, reason);
  await chains.keepHead('ledger');
  const clock = startSchedule({ ...chains.dependencies, clock: systemClock, everyMs: 20 });

  await eventually(async () =>
    expect(await anchorOf('ledger')).toMatchObject({ epoch: 1, anchoredSequence: 3, isIntact: true }),
  );
  await clock.stop();
  await act(ledger, '4');
  await chains.keepHead('ledger');
  await chains.anHourLater();

  expect(await anchorOf('ledger')).toMatchObject({ anchoredSequence: 4, isIntact: true });
  const answer = { data: { isIntact: true, rows: 4, next: null } };
  expect(await verify('ledger', 9)).toMatchObject({ json: answer });
  expect(await beginEpoch()).toMatchObject({ status: 409 });
  expect(await beginEpoch(support)).toMatchObject({ status: 403 });
});

test('verification needs stored heads of at least two services', async () => {
  const whole = { lastSequence: 4, firstBrokenSequence: null };
  chains.away.add('charges').add('webhooks');
  expect(await verify('ledger', 9)).toMatchObject({
    json: {
      data: {
        keptBy: [
          { service: 'gateway', ...whole },
          { service: 'withdrawals', ...whole },
        ],
      },
    },
  });

  chains.away.add('withdrawals');
  for (const attempt of [verify('ledger', 9), beginEpoch()])
    expect(await attempt).toMatchObject({ status: 503 });
  const before = await anchorOf('ledger');
  await chains.anHourLater();

  expect(await anchorOf('ledger')).toEqual(before);
  chains.away.clear();
  chains.away.add('ledger');
  expect(await verify('ledger', 9)).toMatchObject({ status: 503 });
  chains.away.clear();
});

test('stored heads reveal a log rewritten with all its hashes', async () => {
  await rewriteFrom(ledger, 2);
  expect(await verifyAudit(ledger, { limit: 100 })).toMatchObject({ isIntact: true });
  // A new row is added, and another service stores its matching hash. The hashes from before the rewrite must
  // still reveal the rewrite.
  await act(ledger, '5');
  await chains.keepHead('ledger');
  // A request to `verify` finds the break before the hourly check, even with a limit of one row.
  for (const limit of [1, 9])
    expect(await verify('ledger', limit)).toMatchObject({
      json: { data: { isIntact: false, firstBrokenSequence: 3 } },
    });

  await chains.anHourLater();

  expect(await anchorOf('ledger')).toMatchObject({
    ...{ isIntact: false, firstBrokenSequence: 3, anchoredSequence: 5 },
  });
});

test('other services reveal a rewritten log of the gateway', async () => {
  for (const reason of ['1', '2']) await act(chains.world.database, reason, support.id);
  await chains.keepHead('gateway');
  await chains.anHourLater();
  expect(await anchorOf('gateway')).toMatchObject({ isIntact: true, anchoredSequence: expect.any(Number) });

  await rewriteFrom(chains.world.database, 1);
  expect(await verifyAudit(chains.world.database, { limit: 100 })).toMatchObject({ isIntact: true });

  expect(await verify('gateway', 100)).toMatchObject({ json: { data: { isIntact: false } } });
  await chains.anHourLater();
  expect(await anchorOf('gateway')).toMatchObject({ isIntact: false });
  expect(await anchorOf('charges')).toMatchObject({ isIntact: true, anchoredSequence: null });
});

test('a proposal that was added in the database counts as none', async () => {
  const insider = openAt(chains.world.env.DATABASE_URL ?? '');
  const forge = `
    INSERT INTO audit_epoch_proposals (service, epoch, proposed_by, proposed_at)
    VALUES ('ledger', 2, $1, now())`;
  await insider.query(forge, [second.id]).finally(() => insider.close());

  expect(await beginEpoch()).toMatchObject({
    ...{ status: 202, json: { data: { epoch: 1, nextEpochProposedBy: finance.id } } },
  });
});

test('two operators begin a new epoch, and old heads remain', async () => {
  const proposed = {
    status: 202,
    json: { data: { epoch: 1, isIntact: false, nextEpochProposedBy: finance.id } },
  };
  expect(await beginEpoch()).toMatchObject(proposed);
  expect(await beginEpoch()).toMatchObject(proposed);
  expect(await anchorOf('ledger')).toMatchObject({ epoch: 1, nextEpochProposedBy: finance.id });
  expect(await beginEpoch(second)).toMatchObject({
    ...{
      status: 201,
      json: { data: { epoch: 2, isIntact: true, begunBy: second.id, nextEpochProposedBy: null } },
    },
  });
  expect(await epochsInAuditLog()).toMatchObject([
    { action: 'audit_log.propose_epoch', operator_id: finance.id },
    { action: 'audit_log.epoch', operator_id: second.id, after: { proposedBy: finance.id, isAlone: false } },
  ]);
  await chains.anHourLater();

  // The ledger has stored the new epoch, and its newest hash is due to be announced at once.
  expect(await ledger.query('SELECT epoch, next_at <= now() AS due FROM chain_heads')).toEqual([
    { epoch: 2, due: true },
  ]);
  await chains.keepHead('ledger', 2);
  await chains.anHourLater();
  expect(await anchorOf('ledger')).toMatchObject({
    ...{ epoch: 2, anchoredSequence: 5, isIntact: true, reason: 'banco restaurado' },
  });
  const rows = await chains.world.database.query(
    `SELECT epoch, sequence FROM chain_anchors WHERE service = 'ledger' ORDER BY epoch, sequence`,
  );
  expect(rows).toEqual([...[3, 4, 5].map((sequence) => ({ epoch: 1, sequence })), { epoch: 2, sequence: 5 }]);
});

test('rows that are cut off at the end are detected', async () => {
  await tamper(ledger, 'DELETE FROM audit_log WHERE sequence > 3');

  await chains.anHourLater();

  expect(await anchorOf('ledger')).toMatchObject({ isIntact: false, firstBrokenSequence: 5 });
});

test('proposals expire after a day; only a single operator acts alone', async () => {
  const { database } = chains.world;
  expect(await beginEpoch()).toMatchObject({ status: 202 });
  await database.query("UPDATE audit_epoch_proposals SET proposed_at = now() - interval '25 hours'");
  expect(await beginEpoch(second)).toMatchObject({ status: 202 });
  // The other active operator has the role SUPPORT, which may not begin an epoch.
  const active = [finance.id, support.id];
  await database.query('UPDATE operators SET is_active = id = ANY ($1::uuid[])', [active]);
  expect(await beginEpoch()).toMatchObject({ status: 202 });
  await database.query('UPDATE operators SET created_at = now()');

  expect(await beginEpoch()).toMatchObject({
    status: 201,
    json: { data: { epoch: 3, begunBy: finance.id } },
  });

  expect((await epochsInAuditLog()).at(-1)).toMatchObject({ after: { proposedBy: null, isAlone: true } });
  expect(await readEpochGauges(database)).toMatchObject([{ value: 1 }]);
});

test('an epoch may begin once verify finds the log broken', async () => {
  await act(ledger, '6');
  await chains.keepHead('ledger', 3);
  await chains.anHourLater();
  expect(await beginEpoch()).toMatchObject({ status: 409, json: { error: { code: 'INVALID_STATE' } } });
  await rewriteFrom(ledger, 3);
  expect(await verify('ledger', 9)).toMatchObject({ json: { data: { isIntact: false } } });
  expect(await anchorOf('ledger')).toMatchObject({ isIntact: true });

  expect(await beginEpoch()).toMatchObject({ status: 201, json: { data: { epoch: 4, isIntact: true } } });
});

test('a broken chain gets a new epoch without its service', async () => {
  await chains.keepHead('ledger', 4);
  await tamper(ledger, 'DELETE FROM audit_log WHERE sequence > 3');
  await chains.anHourLater();
  chains.away.add('ledger');

  expect(await beginEpoch()).toMatchObject({ status: 201, json: { data: { epoch: 5 } } });
});
