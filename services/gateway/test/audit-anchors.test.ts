import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditChain, auditHashOf, auditTable, verifyAudit, writeAudit } from '@plataforma/data';
import { newId, systemClock } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { type OpenTestDatabase, openTestDatabase, silent } from '@plataforma/testing/world';
import { anchorAuditLogs } from '../src/operations/anchor-audit-logs.ts';
import { startSchedule } from '../src/schedule.ts';
import { readEpochGauges } from '../src/store/audit-epoch-proposals.ts';
import { operatorAs } from './support/operators.ts';
import { startWorld, type World } from './support/world.ts';

type Operator = Awaited<ReturnType<typeof operatorAs>>;

let world: World;
/** Of the ledger, whose audit log an intruder writes to as its owner. */
let behind: OpenTestDatabase;
let support: Operator;
let finance: Operator;
let second: Operator;

beforeAll(async () => {
  [world, behind] = await Promise.all([startWorld(), openTestDatabase([auditTable, auditChain])]);
  [support, finance] = [await operatorAs(world, 'SUPPORT'), await operatorAs(world, 'FINANCE')];
  second = await operatorAs(world, 'FINANCE');
});
afterAll(async () => {
  await behind.database.close();
  await world.stop();
});

const act = (reason: string) =>
  behind.database.transaction((tx) =>
    writeAudit(tx, {
      ...{ operatorId: newId(), action: 'ledger.adjust', subjectId: newId(), reason },
      ...{ before: {}, after: { amount: 1 } },
    }),
  );

/** Past the triggers and constraints, as only the owner of the server can. */
const tamper = (...statements: string[]) =>
  behind.database.transaction(async (tx) => {
    await tx.queryUnprepared('SET LOCAL session_replication_role = replica', []);
    for (const statement of statements) await tx.queryUnprepared(statement, []);
  });

/** Changes a row and computes all hashes from there on anew, so that the log vouches for itself. */
const rewriteFrom = (sequence: number) =>
  tamper(`
    DO $$
    DECLARE
      one audit_log;
      previous bytea;
    BEGIN
      FOR one IN SELECT * FROM audit_log WHERE sequence >= ${sequence} ORDER BY sequence LOOP
        one.reason := CASE one.sequence WHEN ${sequence} THEN 'forjado' ELSE one.reason END;
        one.previous_hash := coalesce(previous, one.previous_hash);
        previous := ${auditHashOf('one')};
        UPDATE audit_log SET reason = one.reason, previous_hash = one.previous_hash, hash = previous
          WHERE id = one.id;
      END LOOP;
    END $$`);

const parts = () => ({
  ...{ database: world.database, log: silent },
  followAuditLog: async (service: string, { after }: { after: string | undefined }) =>
    service === 'ledger' ? verifyAudit(behind.database, { after, limit: 2 }) : null,
});

/** Has the clock look, as if an hour had passed. */
const anHourLater = () => anchorAuditLogs(parts(), new Date(Date.now() + 3_600_001));

async function anchorOfLedger() {
  const { headers } = support;
  const { json } = await world.call('/v1/admin/audit-anchors', { headers });
  const anchors: unknown = json.data;
  if (!Array.isArray(anchors)) throw new Error('there is no list of anchors');
  return anchors.find(({ service }) => service === 'ledger');
}

/** As the ledger answers the gateway. */
function ledgerAnswers(): void {
  world.services.ledger.intercept((req, res) => {
    const { searchParams } = new URL(req.url ?? '', 'http://ledger');
    const after = searchParams.get('after') ?? undefined;
    const verifying = verifyAudit(behind.database, { after, limit: Number(searchParams.get('limit')) });
    res.setHeader('content-type', 'application/json');
    void verifying.then((data) => res.end(JSON.stringify({ success: true, data })));
  });
}

const verify = (limit: number) =>
  world.call(`/v1/admin/ledger/audit-log/verify?limit=${limit}`, { headers: support.headers });

const epochsInAuditLog = () =>
  world.database.query(
    "SELECT action, operator_id, after FROM audit_log WHERE action LIKE 'audit_log.%' ORDER BY sequence",
  );

async function beginEpoch({ headers } = finance) {
  const body = { service: 'ledger', reason: 'banco restaurado' };
  return world.call('/v1/admin/audit-epochs', { method: 'POST', headers, body });
}

test('a log is anchored by the clock, each hour further, and an intact one begins no new epoch', async () => {
  for (const reason of ['1', '2', '3']) await act(reason);
  const clock = startSchedule({ ...parts(), clock: systemClock, everyMs: 20 });

  await eventually(async () =>
    expect(await anchorOfLedger()).toMatchObject({ epoch: 1, anchoredSequence: 3, isIntact: true }),
  );
  await clock.stop();
  await act('4');
  await anHourLater();

  expect(await anchorOfLedger()).toMatchObject({ anchoredSequence: 4, isIntact: true });
  for (const asked of [verify(9), beginEpoch()]) expect(await asked).toMatchObject({ status: 503 });
  ledgerAnswers();
  expect(await verify(9)).toMatchObject({ json: { data: { isIntact: true, rows: 4, next: null } } });
  expect(await beginEpoch()).toMatchObject({ status: 409 });
  expect(await beginEpoch(support)).toMatchObject({ status: 403 });
});

test('a log that was rewritten with all its hashes vouches for itself, and is found by its anchor', async () => {
  await rewriteFrom(2);
  expect(await verifyAudit(behind.database, { limit: 100 })).toMatchObject({ isIntact: true });
  // Whichever rows are asked for, and before the clock looks.
  for (const limit of [1, 9])
    expect(await verify(limit)).toMatchObject({
      json: { data: { isIntact: false, firstBrokenSequence: 4 } },
    });

  await anHourLater();

  expect(await anchorOfLedger()).toMatchObject({
    isIntact: false,
    firstBrokenSequence: 4,
    anchoredSequence: 4,
  });
});

test('a new epoch, which two operators begin, is anchored anew and keeps what was', async () => {
  const proposed = {
    status: 202,
    json: { data: { epoch: 1, isIntact: false, nextEpochProposedBy: finance.id } },
  };
  expect(await beginEpoch()).toMatchObject(proposed);
  expect(await beginEpoch()).toMatchObject(proposed);
  expect(await anchorOfLedger()).toMatchObject({ epoch: 1, nextEpochProposedBy: finance.id });
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
  await anHourLater();

  expect(await anchorOfLedger()).toMatchObject({
    ...{ epoch: 2, anchoredSequence: 4, isIntact: true, reason: 'banco restaurado' },
  });
  const kept = await world.database.query(
    `SELECT epoch, sequence FROM audit_anchors WHERE service = 'ledger' ORDER BY epoch, sequence`,
  );
  expect(kept).toEqual([
    ...[3, 4].map((sequence) => ({ epoch: 1, sequence })),
    ...[0, 4].map((sequence) => ({ epoch: 2, sequence })),
  ]);
  await expect(world.database.query(`DELETE FROM audit_anchors`)).rejects.toMatchObject({ code: '42501' });
});

test('rows that were cut off at the end are missed, as after a restore', async () => {
  await act('5');
  await anHourLater();
  await tamper('DELETE FROM audit_log WHERE sequence > 3');

  await anHourLater();

  expect(await anchorOfLedger()).toMatchObject({ isIntact: false, firstBrokenSequence: 5 });
});

test('a service that does not answer keeps its anchor, and is asked again', async () => {
  const before = await anchorOfLedger();

  await anchorAuditLogs({ ...parts(), followAuditLog: async () => null }, new Date(Date.now() + 7_200_000));

  expect(await anchorOfLedger()).toEqual(before);
});

test('a proposal of a day ago counts no more, and the only active operator begins an epoch alone', async () => {
  expect(await beginEpoch()).toMatchObject({ status: 202 });
  await world.database.query("UPDATE audit_epoch_proposals SET proposed_at = now() - interval '25 hours'");
  expect(await beginEpoch(second)).toMatchObject({ status: 202 });
  await world.database.query('UPDATE operators SET is_active = id = $1', [finance.id]);

  expect(await beginEpoch()).toMatchObject({
    status: 201,
    json: { data: { epoch: 3, begunBy: finance.id } },
  });

  expect((await epochsInAuditLog()).at(-1)).toMatchObject({ after: { proposedBy: null, isAlone: true } });
  expect(await readEpochGauges(world.database)).toMatchObject([{ value: 1 }]);
});

test('an epoch is asked for as soon as verify says that the log is broken, and not an hour later', async () => {
  await act('6');
  await anHourLater();
  expect(await beginEpoch()).toMatchObject({ status: 409, json: { error: { code: 'INVALID_STATE' } } });
  await rewriteFrom(4);
  expect(await verify(9)).toMatchObject({ json: { data: { isIntact: false } } });
  expect(await anchorOfLedger()).toMatchObject({ isIntact: true });

  expect(await beginEpoch()).toMatchObject({ status: 201, json: { data: { epoch: 4, isIntact: true } } });
});

test('what was found broken begins a new epoch also while its service does not answer', async () => {
  await anHourLater();
  await tamper('DELETE FROM audit_log WHERE sequence > 3');
  await anHourLater();
  world.services.ledger.intercept((_req, res) => void res.writeHead(500).end());

  expect(await beginEpoch()).toMatchObject({ status: 201, json: { data: { epoch: 5 } } });
});
