import type { Scope } from '@plataforma/contracts';
import { type Environment, newId, Refusal } from '@plataforma/kernel';
import { isAddressOrRange } from '@plataforma/kernel/addresses';
import { requireKeyAllowed } from '../domain/access.ts';
import { timeIn } from '../domain/sandbox-clock.ts';
import { type MintedKey, type MintKeys, mintKey } from '../store/mint-key.ts';
import { lockOrganization } from '../store/organizations.ts';

interface NewKey {
  name: string;
  environment: Environment;
  scopes: readonly Scope[];
  allowedIps: readonly string[];
  expiresAt?: Date | undefined;
}

export async function createApiKey(
  { database, clock, saveResponse }: MintKeys,
  merchantId: string,
  { name, environment, scopes, allowedIps, expiresAt }: NewKey,
): Promise<MintedKey> {
  const wrong = allowedIps.find((entry) => !isAddressOrRange(entry));
  if (wrong !== undefined) {
    throw new Refusal(
      'invalid',
      'VALIDATION_ERROR',
      'allowedIps: must hold IPv4 or IPv6 addresses or CIDR ranges',
    );
  }
  const newKey = {
    id: newId(),
    organizationId: merchantId,
    name,
    environment,
    scopes: [...new Set(scopes)],
    allowedIps: [...allowedIps],
    expiresAt: expiresAt ?? null,
  };
  return database.transaction(async (tx) => {
    const merchant = await lockOrganization(tx, merchantId);
    if (!merchant) throw new Error('an organization vanished');
    requireKeyAllowed(merchant.status, environment);
    if (expiresAt && expiresAt <= timeIn(merchant, environment, clock())) {
      throw new Refusal('invalid', 'VALIDATION_ERROR', 'expiresAt: must lie in the future');
    }
    const minted = await mintKey(tx, newKey, clock());
    await saveResponse(tx, minted);
    return minted;
  });
}
