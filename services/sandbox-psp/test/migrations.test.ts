import { expect, test } from '@jest/globals';
import { migrate } from '@plataforma/data';
import { openTestDatabase } from '@plataforma/testing/world';
import { migrations } from '../migrations/index.ts';
import { newsOfPayment } from '../src/domain/callback.ts';
import { dueCallbacks } from '../src/store/callbacks.ts';
import { findChargeWithPayments } from '../src/store/charges.ts';
import { newTxid } from './bank.ts';

test('callbacks that an older release left to send are sent as this one would', async () => {
  const { url, database } = await openTestDatabase();
  const txid = newTxid();
  await migrate(url, migrations.slice(0, 4));
  await database.query(
    `INSERT INTO charges (client_id, txid, amount_cents, pix_key, expires_in_seconds, created_at, location_token)
     VALUES ('shop', '${txid}', 100, 'key', 1, now(), 'a')`,
  );
  await database.query(
    `INSERT INTO payments (end_to_end_id, client_id, txid, pix_key, amount_cents, paid_at) VALUES
      ('E9999999920260101000012345678901', 'shop', '${txid}', 'key', 1, '2026-01-01T00:00:00.01Z'),
      ('E9999999920260101000012345678902', 'shop', '${txid}', 'key', 123456789012, '2026-01-01T00:00:00Z')`,
  );
  await database.query('INSERT INTO callbacks (end_to_end_id) SELECT end_to_end_id FROM payments');

  await migrate(url, migrations);

  const found = await findChargeWithPayments(database, 'shop', txid);
  const common = { environment: 'sandbox' as const, now: new Date(), except: [] };
  const claimed = await dueCallbacks.claim(database, { ...common, limit: 10, leaseMs: 1_000 });
  const told = claimed.map(({ kind, subject, client_id: clientId, body }) => ({
    ...{ kind, subject, clientId },
    body: JSON.parse(body),
  }));
  const expected = found?.payments.map((payment) => {
    const { body, ...news } = newsOfPayment(payment);
    return { ...news, body: JSON.parse(body) };
  });
  expect(told.sort((a, b) => a.subject.localeCompare(b.subject))).toEqual(expected);
  expect(told).toHaveLength(2);
  await database.close();
});
