import { describe, expect, test } from '@jest/globals';
import type { ServiceName } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { callerTo } from '../world/caller.ts';
import type { Identities } from '../world/identities.ts';

/**
 * An event that is stored as a dead letter. After its replay, `expectApplied` checks that the service has
 * applied the event.
 */
interface Letter {
  event: { id: string; type: string; [field: string]: unknown };
  expectApplied(): Promise<unknown>;
}

interface LoggingService {
  service: Exclude<ServiceName, 'gateway'>;
  world: () => { database: Database; first: { url: string } };
  operatorHeader: Identities['operatorHeader'];
  /**
   * Makes the first change that the audit log must contain. Undefined if operators can't change anything in
   * the service.
   */
  change?: () => Promise<{ filter: string; shown: object }>;
  letter: (database: Database) => Letter | Promise<Letter>;
}

const INSERT = `
  INSERT INTO dead_letters (id, fingerprint, event_id, type, signature, body, reason, died_at)
  VALUES ($1, $2, $3, $4, 'valid', $5, 'rejected', now())`;

/**
 * Tests that a service serves its audit log and its dead letters. The tests of the packages `http` and
 * `messaging` cover the details.
 */
export function describeOperatorLogs({
  service,
  world,
  operatorHeader,
  change,
  letter,
}: LoggingService): void {
  const ask = (path: string, body?: object) =>
    callerTo(world().first.url)(`/v1/admin/${service}/${path}`, {
      ...(body ? { method: 'POST', body } : {}),
      headers: operatorHeader({ role: body ? 'FINANCE' : 'SUPPORT' }),
    });

  describe(`the operators’ logs of ${service}`, () => {
    if (change)
      test('list an operator’s change', async () => {
        const { filter, shown } = await change();

        expect((await ask(`audit-log?${filter}`)).data).toMatchObject([shown]);
      });

    test('replay a dead letter once with an audit record', async () => {
      const { database } = world();
      const id = newId();
      const { event, expectApplied } = await letter(database);
      await database.query(INSERT, [id, event.id, event.id, event.type, Buffer.from(JSON.stringify(event))]);

      const listed = await ask(`dead-letters?replayed=false&type=${event.type}`);
      const inspected = await ask(`dead-letters/${id}`);
      const replayed = await ask(`dead-letters/${id}/replay`, { reason: 'Corrigido.' });
      const again = await ask(`dead-letters/${id}/replay`, {});

      expect(listed.data).toMatchObject([{ id, eventId: event.id, type: event.type }]);
      expect(inspected.data).toMatchObject({ id, body: expect.stringContaining(event.type) });
      expect(replayed.data).toMatchObject({ id, outcome: 'APPLIED' });
      expect([again.status, again.error?.code]).toEqual([409, 'INVALID_STATE']);
      await expectApplied();
      const audited = await ask(`audit-log?subjectId=${id}`);
      expect(audited.data).toMatchObject([{ action: 'dead_letter.replay', reason: 'Corrigido.' }]);
      const verified = await ask('audit-log/verify');
      expect(verified.data).toMatchObject({ isIntact: true, rows: change ? 2 : 1, next: null });
    });
  });
}

/**
 * Returns the event with the first snapshot of a new merchant, for services that store snapshots of
 * merchants.
 */
export function newMerchantLetter(database: Database): Letter {
  const merchantId = newId();
  const merchant = { id: merchantId, version: 1, name: 'Loja', status: 'APPROVED', checkoutColor: '#0a7f5a' };
  const about = { merchantId, environment: null, aggregateId: merchantId, sequence: 1, traceparent: null };
  const occurredAt = new Date().toISOString();
  const data = { ...merchant, pixFeeBps: 99, pixFeeFixed: 0 };
  return {
    event: { id: newId(), type: 'merchant.updated', version: 1, occurredAt, ...about, data },
    async expectApplied() {
      const rows = await database.query('SELECT version FROM merchants WHERE id = $1', [merchantId]);
      expect(rows).toEqual([{ version: 1 }]);
    },
  };
}
