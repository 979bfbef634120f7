import { optInEventTypes } from '@plataforma/contracts';
import type { Queryable, Transaction } from '@plataforma/data';
import { isTrusted } from '@plataforma/tables';
import type { DeliveryTarget } from '../domain/delivery.ts';
import type { WebhookEvent } from '../domain/webhook-event.ts';
import {
  CONFIGURATION_COLUMNS,
  oldSecretId,
  type SealedConfiguration,
  sealedConfigurations,
  sealedOldSecrets,
} from './seals.ts';

/** SQL: the columns of a configuration `c`, with the old secrets in their grace period, oldest first. */
export const TARGET_COLUMNS = `
  ${CONFIGURATION_COLUMNS.map((column) => `c.${column}`).join(', ')}, c.seal AS "configurationSeal",
  c.is_faulted AS "isFaulted",
  (SELECT jsonb_agg(jsonb_build_object('version', o.version, 'secretKeyId', o.secret_key_id,
      'secretSealed', encode(o.secret_sealed, 'base64'), 'signsUntil', o.signs_until, 'seal', o.seal)
      ORDER BY o.version)
    FROM old_secrets o WHERE o.configuration_id = c.id AND o.signs_until > now()) AS "oldSecrets"`;

/** A configuration with an empty list of events receives all events that are not opt-in. */
const MATCH = `
  SELECT c.id, ${TARGET_COLUMNS}, array_agg(n.id) AS event_ids
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) AS n (id, merchant_id, environment, type)
  JOIN configurations c ON c.merchant_id = n.merchant_id AND c.environment = n.environment
  WHERE c.is_active AND (n.type = ANY (c.events) OR (c.events = '{}' AND n.type <> ALL ($5::text[])))
  GROUP BY c.id`;

export type TargetRow = Omit<SealedConfiguration, 'id' | 'seal'> & {
  secretKeyId: string;
  secretSealed: Buffer;
  configurationSeal: string | null;
  isFaulted: boolean;
  oldSecrets: OldSecretRow[] | null;
};

interface OldSecretRow {
  version: number;
  secretKeyId: string;
  /** The ciphertext in Base64. */
  secretSealed: string;
  signsUntil: string;
  seal: string | null;
}

/**
 * Finds for each event the active configurations of its merchant and environment that subscribe to it. Omits
 * configurations without a valid seal.
 */
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
  return rows.flatMap((row) => {
    const target = trustedTarget(tx, row, row.id);
    return target ? [{ target, eventIds: row.event_ids }] : [];
  });
}

/**
 * Returns the destination that a configuration describes. Returns null if the row has no valid seal. Old
 * secrets without a valid seal do not sign.
 */
export function trustedTarget(db: Queryable, row: TargetRow, configurationId: string): DeliveryTarget | null {
  const stored = { ...row, id: configurationId, seal: row.configurationSeal };
  if (!isTrusted(db, sealedConfigurations, stored)) return null;
  const oldSecrets = (row.oldSecrets ?? [])
    .map((old) => oldSecretOf(old, configurationId))
    .filter((old) => isTrusted(db, sealedOldSecrets, old));
  return {
    configurationId,
    ...{ merchantId: row.merchantId, environment: row.environment },
    ...{ url: row.url, signatureVersion: row.signatureVersion, retrySchedule: row.retrySchedule },
    secret: { keyId: row.secretKeyId, sealed: row.secretSealed, version: row.version },
    oldSecrets: oldSecrets.map(({ version, secretKeyId: keyId, secretSealed: sealed }) => ({
      ...{ version, keyId, sealed },
    })),
    isFaulted: row.isFaulted,
  };
}

function oldSecretOf({ secretSealed, signsUntil, ...old }: OldSecretRow, configurationId: string) {
  return {
    ...{ ...old, configurationId, id: oldSecretId({ ...old, configurationId }) },
    ...{ secretSealed: Buffer.from(secretSealed, 'base64'), signsUntil: new Date(signsUntil) },
  };
}
