import { generateKeyPairSync } from 'node:crypto';
import { trustedKeys } from '@plataforma/http';

/** A service's key pair in the form the configuration has it. */
export function newKeyPair(namedCurve = 'P-256'): { privateKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
  return {
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}

export function trusting(keys: Record<string, string | string[]>): ReturnType<typeof trustedKeys.parse> {
  return trustedKeys.parse(JSON.stringify(keys));
}
