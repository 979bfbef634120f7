import { generateKeyPairSync } from 'node:crypto';

export interface KeyPair {
  /** The private key in the format PKCS #8 DER, in base64. */
  privateKey: string;
  /** The public key in the format SPKI DER, in base64. */
  publicKey: string;
}

export function newKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}
