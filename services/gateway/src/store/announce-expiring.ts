import type { Transaction } from '@plataforma/data';
import { announce } from '@plataforma/tables';
import { takeExpiringKeys } from './api-keys.ts';

const BATCH_SIZE = 200;

/**
 * Announces each valid API key that has seven days or less left, once for each key. Returns whether more keys
 * may be due.
 */
export async function announceExpiring(
  tx: Transaction,
  now: Date,
  organizationId: string | null = null,
): Promise<boolean> {
  const keys = await takeExpiringKeys(tx, { now, organizationId, limit: BATCH_SIZE });
  const announcements = keys.map(({ id, organizationId: merchantId, environment, ...key }) => {
    const { name, maskedKey, scopes, expiresAt } = key;
    return {
      ...({ type: 'api_key.expiring', merchantId, environment, aggregateId: id, sequence: 1 } as const),
      data: { id, name, maskedKey, scopes, expiresAt: expiresAt.toISOString() },
    };
  });
  await announce(tx, ...announcements);
  return keys.length === BATCH_SIZE;
}
