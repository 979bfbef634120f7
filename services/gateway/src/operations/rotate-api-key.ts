import { later, newId, Refusal } from '@plataforma/kernel';
import { requireKeyAllowed, requireRotatable } from '../domain/access.ts';
import { timeIn } from '../domain/sandbox-clock.ts';
import { lockApiKey, replaceApiKey } from '../store/api-keys.ts';
import { type MintedKey, type MintKeys, mintKey } from '../store/mint-key.ts';
import { lockOrganization } from '../store/organizations.ts';

interface Rotation {
  merchantId: string;
  keyId: string;
  gracePeriodSeconds: number;
}

/** Replaces an API key with a new one. The old key works until its grace period ends. */
export function rotateApiKey(
  { database, clock, saveResponse }: MintKeys,
  { merchantId, keyId, gracePeriodSeconds }: Rotation,
): Promise<MintedKey> {
  return database.transaction(async (tx) => {
    const merchant = await lockOrganization(tx, merchantId);
    if (!merchant) throw new Error('an organization vanished');
    const old = await lockApiKey(tx, merchantId, keyId);
    if (!old) throw new Refusal('missing', 'NOT_FOUND', 'there is no API key with this id');
    const now = clock();
    const time = timeIn(merchant, old.environment, now);
    requireRotatable(old, time);
    requireKeyAllowed(merchant.status, old.environment);
    const id = newId();
    // Without a grace period the key ends at the real time, not the sandbox's time. Older gateways, which do
    // not know sandbox clocks, then also refuse the key.
    const endsAt = gracePeriodSeconds === 0 ? now : later(time, gracePeriodSeconds * 1_000);
    await replaceApiKey(tx, old.id, { endsAt, replacedBy: id });
    const minted = await mintKey(tx, { ...old, id }, now);
    await saveResponse(tx, minted);
    return minted;
  });
}
