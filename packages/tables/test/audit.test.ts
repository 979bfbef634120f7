import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Database, migrate, openDatabase } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { createTestDatabase } from '@plataforma/testing';
import { silent } from '@plataforma/testing/fixtures';
import { sharedTables, writeAudit } from '../src/index.ts';

let database: Database;

beforeAll(async () => {
  const home = await createTestDatabase();
  await migrate(home.url, [sharedTables]);
  database = openDatabase({ url: home.url, poolSize: 3, log: silent });
});
afterAll(async () => {
  await database.close();
});

function entry() {
  return {
    operatorId: newId(),
    action: 'dispute.resolve',
    subjectId: newId(),
    before: { status: 'OPEN' },
    after: { status: 'CANCELLED', note: 'os três "últimos" ç €' },
    reason: 'the payer took it back',
  };
}

const rowsOf = (subjectId: string) =>
  database.query(
    'SELECT operator_id, action, subject_id, before, after, reason FROM audit_log WHERE subject_id = $1',
    [subjectId],
  );

describe('a row of the audit log', () => {
  test('records operator, action, subject, change, reason and time', async () => {
    const { operatorId, action, subjectId, before, after, reason } = entry();

    await database.transaction((tx) =>
      writeAudit(tx, { operatorId, action, subjectId, before, after, reason }),
    );

    expect(await rowsOf(subjectId)).toEqual([
      { operator_id: operatorId, action, subject_id: subjectId, before, after, reason },
    ]);
    const [when] = await database.query(
      `SELECT at BETWEEN now() - interval '1 minute' AND now() AS is_now FROM audit_log
        WHERE subject_id = $1`,
      [subjectId],
    );
    expect(when).toEqual({ is_now: true });
  });

  test('is rolled back with the transaction of its change', async () => {
    const committed = entry();
    const lost = entry();
    const reason = new Error('the change came to nothing');

    await database.transaction((tx) => writeAudit(tx, committed));
    const failed = database.transaction(async (tx) => {
      await writeAudit(tx, lost);
      throw reason;
    });

    await expect(failed).rejects.toBe(reason);
    expect(await rowsOf(committed.subjectId)).toHaveLength(1);
    expect(await rowsOf(lost.subjectId)).toEqual([]);
  });

  test('that cannot be written rolls back the change', async () => {
    await database.queryUnprepared('CREATE TABLE things (id uuid)', []);
    const { subjectId, ...rest } = entry();

    const failed = database.transaction(async (tx) => {
      await tx.query('INSERT INTO things (id) VALUES ($1)', [subjectId]);
      await writeAudit(tx, { ...rest, subjectId, operatorId: 'nobody' });
    });

    await expect(failed).rejects.toMatchObject({ code: '22P02' });
    expect(await database.query('SELECT 1 FROM things')).toEqual([]);
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
  ])('is never changed: %s is refused by the database', async (statement) => {
    const { subjectId, ...rest } = entry();
    await database.transaction((tx) => writeAudit(tx, { subjectId, ...rest }));

    const refused = database.queryUnprepared(statement, []);

    await expect(refused).rejects.toMatchObject({ code: '42501', message: 'audit_log is append-only' });
    expect(await rowsOf(subjectId)).toMatchObject([{ reason: rest.reason }]);
  });
});
