import { columnsOf, fieldsOf, type SealedTable } from '@plataforma/data';
import type { SealedRows } from '@plataforma/tables';
import type { Configuration } from '../domain/configuration.ts';

/**
 * The sealed columns of a configuration, after its id. The time of deletion needs no seal, because a
 * configuration lacks a secret exactly when it is deleted.
 */
export const CONFIGURATION_COLUMNS = columnsOf(`
  merchant_id, environment, url, events, is_active, signature_version, retry_schedule, secret_key_id,
  secret_sealed, version`);
export const OLD_SECRET_COLUMNS = columnsOf(
  'configuration_id, version, secret_key_id, secret_sealed, signs_until',
);
export const EVENT_COLUMNS = columnsOf(
  'merchant_id, environment, type, resource_id, occurred_at, body, traceparent, sequence',
);
/** The status and the attempts of a delivery have no seal: they decide when it is sent, and not to whom. */
export const DELIVERY_COLUMNS = columnsOf('merchant_id, environment, event_id, event_type, configuration_id');

const tableOf = (name: string, columns: readonly string[]): SealedTable => ({
  name,
  fields: fieldsOf(columns),
});
export const sealedConfigurations = tableOf('configurations', CONFIGURATION_COLUMNS);
export const sealedOldSecrets = tableOf('old_secrets', OLD_SECRET_COLUMNS);
export const sealedEvents = tableOf('events', EVENT_COLUMNS);
export const sealedDeliveries = tableOf('deliveries', DELIVERY_COLUMNS);

export type SealedConfiguration = Pick<
  Configuration,
  'id' | 'merchantId' | 'environment' | 'url' | 'events' | 'isActive' | 'signatureVersion' | 'retrySchedule'
> & {
  /** Null if the configuration is deleted. */
  secretKeyId: string | null;
  secretSealed: Buffer | null;
  version: number;
  seal: string | null;
};

/** Returns the id under which the seal of an old secret is computed. */
export const oldSecretId = ({ configurationId, version }: { configurationId: string; version: number }) =>
  `${configurationId} ${version}`;

/** The rows of this service's tables, for a command that seals existing rows. */
const keyed = { key: 'id', keyType: 'uuid' };
export const configurationsToSeal: SealedRows = {
  table: sealedConfigurations,
  ...{ ...keyed, columns: CONFIGURATION_COLUMNS },
};
export const oldSecretsToSeal: SealedRows = {
  table: sealedOldSecrets,
  ...{ key: "(configuration_id || ' ' || version)", keyType: 'text', columns: OLD_SECRET_COLUMNS },
};
export const storedEventsToSeal: SealedRows = {
  table: sealedEvents,
  ...{ ...keyed, columns: EVENT_COLUMNS },
};
/** Deliveries that may have a further attempt, for example because a person requests one. */
export const unreceivedDeliveries: SealedRows = {
  table: sealedDeliveries,
  ...{ ...keyed, columns: DELIVERY_COLUMNS, where: "status <> 'SUCCEEDED'" },
};
