import type { Queryable } from '@plataforma/data';
import { newId } from '@plataforma/kernel';

/** As release 0.4 claims, settles, gives back and forgets; word for word where tables of today are named. */
const CLAIM = `
  WITH share AS (
    SELECT * FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS share (configuration_id, slots, nth)),
  picked AS (
    SELECT due.id, c.url, c.signature_version, c.retry_schedule, c.secret_key_id, c.secret_sealed, c.version,
      c.is_faulted, (SELECT jsonb_agg(jsonb_build_object('version', o.version, 'keyId', o.secret_key_id,
          'sealed', encode(o.secret_sealed, 'base64')) ORDER BY o.version)
        FROM old_secrets o WHERE o.configuration_id = c.id AND o.signs_until > now()) AS old_secrets
    FROM (
      SELECT c.*, share.slots FROM share JOIN configurations c ON c.id = share.configuration_id AND c.is_active
      ORDER BY share.nth) AS c
    CROSS JOIN LATERAL (
      SELECT d.id FROM deliveries d
      WHERE d.status = 'PENDING' AND d.configuration_id = c.id AND d.due_at <= now()
        AND (d.leased_until IS NULL OR d.leased_until <= now())
        AND d.merchant_id = c.merchant_id AND d.environment = c.environment
      ORDER BY d.due_at LIMIT c.slots
      FOR UPDATE SKIP LOCKED) AS due
    LIMIT $3),
  claimed AS (
    UPDATE deliveries d SET lease_token = $4, leased_until = now() + $5 * interval '1 millisecond'
    FROM picked WHERE d.id = picked.id
    RETURNING d.attempts, d.event_id, d.event_type = 'webhook.test' AS is_test, d.configuration_id, picked.*)
  SELECT claimed.*, events.sequence, events.body, events.traceparent
  FROM (SELECT) AS always LEFT JOIN (claimed JOIN events ON events.id = claimed.event_id) ON true`;

const SETTLE = 'SELECT settle_deliveries($1, $2, $3, $4, $5, $6, $7, $8, $9) AS count';

const RELEASE = `
  UPDATE deliveries d SET lease_token = NULL, leased_until = NULL, due_at = least(d.due_at, now())
  FROM unnest($1::uuid[], $2::uuid[]) AS r (id, lease_token)
  WHERE d.id = r.id AND d.lease_token = r.lease_token`;

const FORGET = `
  WITH old AS (
    SELECT id FROM deliveries
    WHERE id < $1 AND status <> 'PENDING'
    ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED),
  gone AS (DELETE FROM deliveries d USING old WHERE d.id = old.id RETURNING d.id),
  attempts AS (DELETE FROM delivery_attempts a USING gone WHERE a.delivery_id = gone.id)
  SELECT id FROM gone`;

interface Claimed {
  ids: string[];
  leaseToken: string;
}

export async function claimAsBefore(db: Queryable, configurationId: string, slots: number): Promise<Claimed> {
  const leaseToken = newId();
  const values = [[configurationId], [slots], slots, leaseToken, 60_000];
  const rows = await db.queryUnprepared<{ id: string | null; body: string | null }>(CLAIM, values);
  const claimed = rows.filter(({ id }) => id !== null);
  if (claimed.some(({ body }) => body === null)) throw new Error('a delivery has no event');
  return { ids: claimed.map(({ id }) => id ?? ''), leaseToken };
}

/** All of them succeeded at once. */
export async function settleAsBefore(db: Queryable, { ids, leaseToken }: Claimed): Promise<number> {
  const each = <T>(value: T) => ids.map(() => value);
  const [settled] = await db.query<{ count: number }>(SETTLE, [
    ...[ids, each(leaseToken), each('SUCCEEDED'), each(null), each(new Date()), each(5), each(200)],
    ...[each(null), each('ok')],
  ]);
  return settled?.count ?? 0;
}

export async function releaseAsBefore(db: Queryable, { ids, leaseToken }: Claimed): Promise<void> {
  await db.queryUnprepared(RELEASE, [ids, ids.map(() => leaseToken)]);
}

export async function forgetAsBefore(db: Queryable, before: string): Promise<number> {
  return (await db.queryUnprepared(FORGET, [before])).length;
}
