import { optInEventTypes } from '@plataforma/contracts';
import type { Transaction } from '@plataforma/data';
import type { Environment } from '@plataforma/kernel';
import type { RetrySchedule, SignatureVersion } from '../domain/configuration.ts';
import type { DeliveryTarget } from '../domain/delivery.ts';
import type { WebhookEvent } from '../domain/webhook-event.ts';

/** SQL: the columns of a configuration `c`, with the old secrets in their grace period, oldest first. */
export const TARGET_COLUMNS = `
  c.merchant_id, c.environment, c.url, c.signature_version, c.retry_schedule, c.secret_key_id,
  c.secret_sealed, c.version, c.is_faulted,
  (SELECT jsonb_agg(jsonb_build_object('version', o.version, 'keyId', o.secret_key_id,
      'sealed', encode(o.secret_sealed, 'base64')) ORDER BY o.version)
    FROM old_secrets o WHERE o.configuration_id = c.id AND o.signs_until > now()) AS old_secrets`;

/** A configuration with an empty list of events receives all events that are not opt-in. */
const MATCH = `
  SELECT c.id, ${TARGET_COLUMNS}, array_agg(n.id) AS event_ids
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) AS n (id, merchant_id, environment, type)
  JOIN configurations c ON c.merchant_id = n.merchant_id AND c.environment = n.environment
  WHERE c.is_active AND (n.type = ANY (c.events) OR (c.events = '{}' AND n.type <> ALL ($5::text[])))
  GROUP BY c.id`;

export type TargetRow = {
  merchant_id: string;
  environment: Environment;
  url: string;
  signature_version: SignatureVersion;
  retry_schedule: RetrySchedule;
  secret_key_id: string;
  secret_sealed: Buffer;
  version: number;
  is_faulted: boolean;
  old_secrets: { version: number; keyId: string; sealed: string }[] | null;
};

/** Finds for each event the active configurations of its merchant and environment that subscribe to it. */
export async function matchingConfigurations(
  tx: Transaction,
  events: readonly WebhookEvent[],
): Promise<{ target: DeliveryTarget; eventIds: string[] }[]> {
  const rows = await tx.query<TargetRow & { id: string; event_ids: string[] }>(MATCH, [
    events.map(({ id }) => id),
    events.map(({ merchantId }) => merchantId),
    events.map(({ environment }) => environment),
    events.map(({ type }) => type),
    optInEventTypes,
  ]);
  return rows.map((row) => ({ target: targetOf(row, row.id), eventIds: row.event_ids }));
}

export function targetOf(row: TargetRow, configurationId: string): DeliveryTarget {
  const oldSecrets = (row.old_secrets ?? []).map(({ version, keyId, sealed }) => ({
    ...{ version, keyId },
    sealed: Buffer.from(sealed, 'base64'),
  }));
  return {
    configurationId,
    ...{ merchantId: row.merchant_id, environment: row.environment },
    url: row.url,
    signatureVersion: row.signature_version,
    retrySchedule: row.retry_schedule,
    secret: { keyId: row.secret_key_id, sealed: row.secret_sealed, version: row.version },
    oldSecrets,
    isFaulted: row.is_faulted,
  };
}
