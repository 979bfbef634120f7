import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Database, migrate, openDatabase } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { createTestDatabase } from '@plataforma/testing';
import { silent } from '@plataforma/testing/fixtures';
import { sharedTables, verifyAudit, writeAudit } from '../src/index.ts';

/** The connection of the owner of the tables, who may make changes that no service may make. */
let owner: Database;
let service: Database;
let replica: Database;

beforeAll(async () => {
  const home = await createTestDatabase();
  await migrate(home.url, [sharedTables], home.env.DATABASE_URL);
  const open = (url: string) => openDatabase({ url, poolSize: 5, log: silent });
  owner = open(home.url);
  service = open(home.env.DATABASE_URL);
  replica = open(home.env.DATABASE_URL);
});
beforeEach(() => tamper('DELETE FROM audit_log'));
afterAll(async () => {
  await Promise.all([owner.close(), service.close(), replica.close()]);
});

function entry(reason: string | null = 'ela pediu: “já” ç €') {
  const fields = { operatorId: newId(), action: 'thing.change', subjectId: newId(), reason };
  return { ...fields, before: { status: 'OPEN', amount: 1 }, after: { status: 'DONE', list: [1.5, null] } };
}

const write = (database = service) => database.transaction((tx) => writeAudit(tx, entry()));

async function writeMany(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await write();
}

/** Runs SQL while triggers and constraints are off, which only the owner may do. */
function tamper(sql: string): Promise<void> {
  return owner.transaction(async (tx) => {
    await tx.queryUnprepared('SET LOCAL session_replication_role = replica', []);
    await tx.queryUnprepared(sql, []);
  });
}

const verify = (after?: string, limit = 10_000) => verifyAudit(service, { after, limit });

describe('the rows of an audit log', () => {
  test('record operator, action, subject, change, reason and time', async () => {
    const { operatorId, action, subjectId, before, after, reason } = entry();

    await service.transaction((tx) =>
      writeAudit(tx, { operatorId, action, subjectId, before, after, reason }),
    );

    const rows = await service.query(
      `SELECT operator_id, action, subject_id, before, after, reason,
        at BETWEEN now() - interval '1 minute' AND now() AS is_now FROM audit_log`,
    );
    expect(rows).toEqual([
      { operator_id: operatorId, action, subject_id: subjectId, before, after, reason, is_now: true },
    ]);
  });

  test('are numbered and hashed, and verification finds them intact', async () => {
    await writeMany(3);

    const rows = await owner.query(
      `SELECT sequence, previous_hash IS NULL AS is_first, length(hash) AS length FROM audit_log
        ORDER BY sequence`,
    );

    expect(rows).toEqual([
      { sequence: 1, is_first: true, length: 32 },
      { sequence: 2, is_first: false, length: 32 },
      { sequence: 3, is_first: false, length: 32 },
    ]);
    expect(await verify()).toMatchObject({ isIntact: true, rows: 3, firstBrokenSequence: null, next: null });
  });

  test('form one chain across replicas, and rollbacks leave no gap', async () => {
    const attempt = (n: number) =>
      (n % 2 === 0 ? service : replica).transaction(async (tx) => {
        await writeAudit(tx, entry(null));
        if (n % 5 === 0) throw new Error('the change came to nothing');
      });

    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_none, n) => attempt(n)));

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(40);
    expect(await verify()).toMatchObject({ isIntact: true, rows: 40 });
    expect(await owner.query('SELECT max(sequence) AS last FROM audit_log')).toEqual([{ last: 40 }]);
  });

  test('use the database’s own time and sequence, not given ones', async () => {
    await writeMany(2);
    const { operatorId, action, subjectId } = entry();
    const values = [newId(), operatorId, action, subjectId];

    await service.queryUnprepared(
      `INSERT INTO audit_log (id, at, operator_id, action, subject_id, before, after, sequence, previous_hash,
        hash)
       VALUES ($1, '2020-01-01', $2, $3, $4, '{}', '{}', 1, NULL, '\\x00')`,
      values,
    );

    const [row] = await owner.query(
      `SELECT sequence, at > now() - interval '1 minute' AS is_now FROM audit_log WHERE id = $1`,
      [values[0]],
    );
    expect(row).toEqual({ sequence: 3, is_now: true });
    expect(await verify()).toMatchObject({ isIntact: true, rows: 3 });
  });

  test.each([
    { password: 'x' },
    { operator: { passwordHash: 'x' } },
    { webhook: [{ secret: 'x' }] },
    { accessToken: 'x' },
    { cnpj: 'x' },
    { holderDocument: 'x' },
    { pixKey: 'x' },
  ])('contain no secret or document: %j is refused', async (after) => {
    const auditEntry = { ...entry(), after };

    const refused = service.transaction((tx) => writeAudit(tx, auditEntry));

    await expect(refused).rejects.toThrow('must not be stored in the audit log');
    expect(await verify()).toMatchObject({ rows: 0 });
  });
});

describe('a verification', () => {
  const nothing = { isIntact: true, rows: 0, firstBrokenSequence: null, next: null };

  test.each([
    ['a changed reason', "UPDATE audit_log SET reason = 'other' WHERE sequence = 4", 4],
    ['a removed reason', 'UPDATE audit_log SET reason = NULL WHERE sequence = 4', 4],
    [
      'a changed earlier value',
      `UPDATE audit_log SET before = before || '{"amount": 2}'
      WHERE sequence = 4`,
      4,
    ],
    ['a changed later value', "UPDATE audit_log SET after = '{}' WHERE sequence = 4", 4],
    ['a changed time', "UPDATE audit_log SET at = at + interval '1 microsecond' WHERE sequence = 4", 4],
    ['a changed operator', 'UPDATE audit_log SET operator_id = id WHERE sequence = 4', 4],
    ['a changed subject', 'UPDATE audit_log SET subject_id = id WHERE sequence = 4', 4],
    ['a changed action', "UPDATE audit_log SET action = 'thing.keep' WHERE sequence = 4", 4],
    ['a changed id', 'UPDATE audit_log SET id = operator_id WHERE sequence = 4', 4],
    ['a changed hash', "UPDATE audit_log SET hash = sha256('') WHERE sequence = 4", 4],
    ['a deleted row', 'DELETE FROM audit_log WHERE sequence = 4', 4],
    ['a deleted first row', 'DELETE FROM audit_log WHERE sequence = 1', 1],
    [
      'a deleted row with its gap closed',
      `DELETE FROM audit_log WHERE sequence = 4; UPDATE audit_log SET sequence = sequence - 1
        WHERE sequence > 4`,
      4,
    ],
    [
      'two swapped rows',
      `UPDATE audit_log SET sequence = 109 - sequence WHERE sequence IN (4, 5);
       UPDATE audit_log SET sequence = sequence - 100 WHERE sequence > 100`,
      4,
    ],
    [
      'an inserted row',
      `UPDATE audit_log SET sequence = sequence + 100 WHERE sequence > 3;
       UPDATE audit_log SET sequence = sequence - 99 WHERE sequence > 100;
       INSERT INTO audit_log SELECT gen_random_uuid(), at, operator_id, action, subject_id, before, after,
       reason,
         4, sha256('old'), sha256('new') FROM audit_log WHERE sequence = 3`,
      4,
    ],
  ])('finds %s', async (_what, sql, broken) => {
    await writeMany(6);

    for (const statement of sql.split(';')) await tamper(statement);

    expect(await verify()).toMatchObject({ isIntact: false, firstBrokenSequence: broken });
  });

  test('continues in portions and reports the broken portion', async () => {
    await writeMany(7);
    await tamper("UPDATE audit_log SET reason = 'other' WHERE sequence = 5");

    const first = await verify(undefined, 3);
    const second = await verify(first.next ?? '', 3);
    const third = await verify(second.next ?? '', 3);

    expect(first).toMatchObject({ isIntact: true, rows: 3 });
    expect(second).toMatchObject({ isIntact: false, rows: 3, firstBrokenSequence: 5 });
    expect(third).toMatchObject({ isIntact: true, rows: 1, next: null });
  });

  test('after the last row has nothing left', async () => {
    await writeMany(3);

    const { next, last } = await verify(undefined, 3);

    expect(next).toBe(last);
    expect(await verify(next ?? '')).toEqual({ ...nothing, last });
  });

  test('of an empty log finds no rows', async () => {
    expect(await verify()).toEqual({ ...nothing, last: null });
  });

  test('finds missing last rows by a head stored elsewhere', async () => {
    await writeMany(5);
    const { last } = await verify();

    await tamper('DELETE FROM audit_log WHERE sequence > 3');

    expect(await verify()).toMatchObject({ isIntact: true, rows: 3 });
    expect(await verify(last ?? '')).toMatchObject({ isIntact: false, firstBrokenSequence: 5 });
    await writeMany(2);
    expect(await verify(last ?? '')).toMatchObject({ isIntact: false, firstBrokenSequence: 5 });
  });
});

describe('the database', () => {
  test.each([
    ['a row in the middle', 'DELETE FROM audit_log WHERE sequence = 2'],
    ['a hash that the next row refers to', "UPDATE audit_log SET hash = sha256('') WHERE sequence = 2"],
  ])('protects %s even from its owner by a constraint', async (_what, sql) => {
    await writeMany(3);

    const attempt = owner.transaction(async (tx) => {
      await tx.queryUnprepared('ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only', []);
      await tx.queryUnprepared(sql, []);
    });

    await expect(attempt).rejects.toMatchObject({ constraint: 'audit_log_after_another' });
  });

  test.each([
    'UPDATE audit_log SET reason = NULL',
    'UPDATE audit_log SET reason = NULL WHERE false',
    'DELETE FROM audit_log',
    'DELETE FROM audit_log WHERE false',
    'TRUNCATE audit_log',
    'TRUNCATE audit_log CASCADE',
    `INSERT INTO audit_log SELECT * FROM audit_log ON CONFLICT (id) DO UPDATE SET reason = NULL`,
    'MERGE INTO audit_log USING audit_log AS old ON old.id = audit_log.id WHEN MATCHED THEN DELETE',
    'WITH gone AS (DELETE FROM audit_log RETURNING id) SELECT id FROM gone',
  ])('refuses %s, also to the owner of the tables', async (statement) => {
    await write();

    for (const role of [owner, service]) {
      await expect(role.queryUnprepared(statement, [])).rejects.toMatchObject({ code: '42501' });
    }
    expect(await verify()).toMatchObject({ isIntact: true, rows: 1 });
  });
});
