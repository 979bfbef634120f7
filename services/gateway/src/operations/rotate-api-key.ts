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

/** Replaces a merchant's key by a new one; the old key works until the grace period ends. */
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
    // Without a grace period the key ends by the real time, so that a gateway of a release without sandbox
    // clocks refuses it too.
    const endsAt = gracePeriodSeconds === 0 ? now : later(time, gracePeriodSeconds * 1_000);
    await replaceApiKey(tx, old.id, { endsAt, replacedBy: id });
    const minted = await mintKey(tx, { ...old, id }, now);
    await saveResponse(tx, minted);
    return minted;
  });
}
