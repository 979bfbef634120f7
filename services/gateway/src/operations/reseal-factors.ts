import { type Database, olderKeys, type SealedSecret, type SecretBox } from '@plataforma/data';
import { PLATFORM_ID } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { isFactorTrusted, lockSealedFactor, saveSealedFactor } from '../store/operator-factors.ts';

export interface ResealFactors {
  database: Database;
  secretBox: SecretBox;
  /** The id of the key that seals, followed by the ids of keys that only open. */
  sealingKeyIds: readonly string[];
  log: Log;
}

/**
 * Encrypts the secrets of second factors again with the first of `sealingKeyIds`. Skips secrets with a newer
 * key, secrets that no key decrypts, and rows without a valid seal.
 */
export async function resealFactors(dependencies: ResealFactors): Promise<void> {
  const { database, sealingKeyIds } = dependencies;
  if (sealingKeyIds.length < 2) return;
  const olderKeyIds = await olderKeys(database, sealingKeyIds);
  // The nil UUID is lower than every operator's id.
  let last: string | null = PLATFORM_ID;
  while (last !== null) last = await resealNext(dependencies, olderKeyIds, last);
}

function resealNext(
  { database, secretBox, log }: ResealFactors,
  olderKeyIds: readonly string[],
  after: string,
): Promise<string | null> {
  return database.transaction(async (tx) => {
    const factor = await lockSealedFactor(tx, olderKeyIds, after);
    if (!factor) return null;
    const { operatorId } = factor;
    const secret = isFactorTrusted(tx, factor) ? opened(factor) : null;
    if (secret) await saveSealedFactor(tx, operatorId, secretBox.seal(secret, operatorId));
    return operatorId;
  });

  function opened({ operatorId, ...sealed }: { operatorId: string } & SealedSecret): string | null {
    try {
      return secretBox.open(sealed, operatorId);
    } catch (error) {
      log.error({ err: error, operatorId }, 'second factor not opened and left unchanged');
      return null;
    }
  }
}
