import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { check } from '../../src/chaos/check/check.ts';
import type { Evidence } from '../../src/chaos/check/evidence.ts';
import { checkHashes } from '../../src/chaos/check/hashes.ts';
import { rest } from '../../src/chaos/check/rest.ts';
import { situationsIn } from '../../src/chaos/check/situations.ts';
import { unknownOutcomes } from '../../src/chaos/check/unknown-outcomes.ts';
import { liveThroughADay } from './check-flows.ts';
import { payAtALink } from './check-flows-links.ts';
import { liveThroughABadDay } from './check-flows-money.ts';
import { keepPromises } from './check-flows-promises.ts';
import { type CheckWorld, openCheckWorld } from './check-world.ts';
import { memoryLies, unfinishedAtBank } from './lies.ts';
import { expectFound, liesIn, lying, redOf, unhindered } from './support/lies.ts';

let world: CheckWorld;
let evidence: Evidence;
let lateCharge: string;

beforeAll(async () => {
  world = await openCheckWorld();
  await liveThroughADay(world);
  ({ lateCharge } = await liveThroughABadDay(world));
  await payAtALink(world);
  await keepPromises(world);
});
afterAll(() => world?.stop());

const now = (also: ReadonlySet<string> = new Set()) => rest({ ...world, poison: also }, 0);

describe('a platform without faults', () => {
  test('finishes its work, and the checks find nothing', async () => {
    expect(await rest({ ...world, poison: new Set() }, 100_000)).toEqual([]);
    evidence = await world.evidence();

    expect(await check(evidence)).toEqual([]);
  });

  test('reports the situations that occurred', async () => {
    const { databases } = world;
    const situations = await situationsIn(evidence);
    const outcomes = await unknownOutcomes(databases);

    expect(Object.fromEntries(situations)).toMatchObject({
      'payments of a charge that was paid': 3,
      'payments that came too late': 1,
      'payments of another amount': 1,
      'payments for no charge': 1,
      'refunds that were done': 2,
      'disputes that were lost': 1,
      'withdrawals that failed, and came back': 2,
      'withdrawals that were rejected, and came back': 1,
      'deliveries that took several attempts': 1,
      'charges that expired': 1,
      'withdrawals that were abandoned': 0,
      'visits that were paid by Pix': 1,
      'visits that were paid by card': 1,
      'money that came late for a visit, and went back': 1,
    });
    const late = outcomes.find(({ id }) => id === lateCharge);
    expect(late).toMatchObject({ kind: 'card' });
    expect(late?.ms).toBeGreaterThanOrEqual(2_000);
  });
});

describe('a check', () => {
  test.each(liesIn('lies.sql'))('finds in $title', ({ service, sql, ...lie }) =>
    lying(world.databases[service], sql, async () => expectFound(await check(evidence), lie)),
  );

  test.each(memoryLies)('finds: $title', async ({ doctor, ...lie }) => {
    expectFound(await check(doctor(evidence)), lie);
  });

  test.each(liesIn('unfinished.sql'))('finds unfinished work in $title', ({ service, sql, ...lie }) =>
    lying(world.databases[service], sql, async () => expectFound(await now(), lie)),
  );

  test.each(unfinishedAtBank)('finds unfinished work at the bank: $title', async ({ doctor, ...lie }) => {
    const bank = { truth: async () => doctor(evidence).truth };
    expectFound(await rest({ ...world, bank, poison: new Set() }, 0), lie);
  });

  test('counts unpublished and unapplied events as unfinished, except poison', async () => {
    const { charges, ledger } = world.databases;
    await charges.query('BEGIN');
    await ledger.query('BEGIN');
    try {
      const { rows } = await charges.query<{ id: string }>(
        "UPDATE outbox SET published_at = NULL WHERE type = 'charge.refunded' RETURNING event_id AS id",
      );
      await ledger.query('SET LOCAL session_replication_role = replica');
      const deleted = await ledger.query<{ id: string }>(
        'DELETE FROM inbox WHERE event_id = (SELECT min(event_id::text)::uuid FROM inbox) RETURNING event_id AS id',
      );
      const ids = [...rows, ...deleted.rows].map(({ id }) => id);

      expect(redOf(await now())).toEqual([8]);
      expect(await now(new Set(ids))).toEqual([]);
    } finally {
      await charges.query('ROLLBACK');
      await ledger.query('ROLLBACK');
    }
  });

  test('finds webhook bodies without new fields, except of older releases', () => {
    const cut = `UPDATE events SET body = (body::jsonb #- '{data,externalId}' #- '{data,bankAccount}')::text
      WHERE type LIKE 'withdrawal.%'`;
    const ofBodies = async (also: Partial<Evidence>) =>
      (await check({ ...evidence, ...also })).filter(({ what }) => what.includes('tells otherwise'));
    return lying(world.databases.webhooks, [cut], async () => {
      expect(await ofBodies({})).not.toEqual([]);
      expect(await ofBodies({ olderUntil: Date.now() })).toEqual([]);
    });
  });

  test('finds copies of merchants without new fields, except of older releases', () => {
    const cut = "UPDATE merchants SET snapshot = snapshot - 'cnpj' - 'phone'";
    return lying(world.databases.charges, [cut], async () => {
      expect(redOf(await check(evidence))).toEqual([8]);
      expect(await check({ ...evidence, olderUntil: Date.now() })).toEqual([]);
    });
  });

  test('counts overdue charges as unfinished, and stops later expiries', async () => {
    const { charges } = world.databases;
    await charges.query('BEGIN');
    try {
      const expireAt = (expiry: string, next: string) =>
        charges.query(`UPDATE charges SET status = 'PENDING', expires_at = ${expiry}, next_check_at = ${next}
          WHERE status = 'CANCELLED' OR status = 'PENDING' AND amount_cents = 4000`);
      await expireAt("now() - interval '1 second'", 'now()');
      expect(redOf(await now())).toEqual([6]);
      await expireAt("now() + interval '1 second'", "now() + interval '1 second'");
      expect(await now()).toEqual([]);
      const { rows } = await charges.query(
        "SELECT FROM charges WHERE status = 'PENDING' AND next_check_at < now()",
      );
      expect(rows).toEqual([]);
    } finally {
      await charges.query('ROLLBACK');
    }
  });

  test('counts unsent evidence, unopened disputes and due receivables as unfinished', async () => {
    const { charges, ledger } = world.databases;
    await charges.query('BEGIN');
    await ledger.query('BEGIN');
    try {
      await charges.query("UPDATE disputes SET forward_at = now() WHERE status = 'UNDER_REVIEW'");
      expect((await now()).map(({ what }) => what)).toEqual([expect.stringMatching(/^evidence of dispute/)]);
      await charges.query(
        "UPDATE disputes SET forward_at = NULL, provider_reference = 'infraction:sandbox:' || id",
      );
      await charges.query("UPDATE disputes SET resolved_at = now(), resolution = '', status = 'CANCELLED'");
      await charges.query("UPDATE charges SET status = 'PAID' WHERE status = 'DISPUTED'");
      expect((await now()).map(({ what }) => what)).toEqual([
        expect.stringMatching(/has opened no dispute yet/),
      ]);
      await charges.query('ROLLBACK');
      await ledger.query('SET LOCAL session_replication_role = replica');
      await ledger.query(
        "UPDATE receivables SET settles_at = now() - interval '2 minutes' WHERE remaining_cents > 0",
      );
      expect(redOf(await now())).toEqual([2]);
    } finally {
      await charges.query('ROLLBACK');
      await ledger.query('ROLLBACK');
    }
  });

  test('counts open deliveries and payouts as unfinished, except manual ones', async () => {
    const { withdrawals, webhooks } = world.databases;
    await withdrawals.query('BEGIN');
    await webhooks.query('BEGIN');
    try {
      await webhooks.query("UPDATE deliveries SET status = 'PENDING', due_at = now()");
      await withdrawals.query(
        "UPDATE withdrawals SET status = 'PROCESSING', ended_at = NULL WHERE method = 'TED' AND status = 'COMPLETED'",
      );
      expect(redOf(await now())).toEqual([7]);
      await withdrawals.query(
        "UPDATE withdrawals SET status = 'PROCESSING', ended_at = NULL WHERE method = 'PIX' AND status = 'COMPLETED'",
      );
      expect(redOf(await now())).toEqual([3, 7]);
    } finally {
      await withdrawals.query('ROLLBACK');
      await webhooks.query('ROLLBACK');
    }
  });
});

describe('the verification of the platform’s own hashes', () => {
  test('finds nothing in unchanged data', async () => {
    expect(await checkHashes(world.platform.facts)).toEqual([]);
  });

  test('finds changed rows in the books and an audit log', async () => {
    const { ledger, withdrawals } = world.databases;
    await unhindered(
      ledger,
      "UPDATE journal_lines SET amount_cents = amount_cents * 2 WHERE account LIKE 'clearing:%'",
    );
    await unhindered(
      withdrawals,
      "UPDATE audit_log SET action = 'withdrawal.approve' WHERE action = 'withdrawal.reject'",
    );

    const findings = await checkHashes(world.platform.facts);

    expect(redOf(findings)).toEqual([1, 6]);
    expect(findings.filter(({ invariant }) => invariant === 6).map(({ what }) => what)).toEqual([
      'the audit log of withdrawals is broken',
    ]);
  });

  test('reports a finding when the platform does not answer', async () => {
    const findings = await checkHashes({ ...world.platform.facts, baseUrl: 'http://127.0.0.1:1' });

    expect(redOf(findings)).toEqual([1]);
  });
});
