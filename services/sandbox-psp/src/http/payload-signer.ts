import { createPublicKey } from 'node:crypto';
import { CompactSign, calculateJwkThumbprint, exportJWK, importJWK, type JWK } from 'jose';
import { SIGNING_ALGORITHM } from '../store/signing-key.ts';

export interface PayloadSigner {
  /**
   * Returns `payload` as a signed token (compact JWS). `keysUrl` is the URL at which payers' banks read the
   * public key.
   */
  sign(payload: unknown, keysUrl: string): Promise<string>;
  publicKeys: { keys: JWK[] };
}

export async function createPayloadSigner(privateJwk: JWK): Promise<PayloadSigner> {
  const key = await importJWK(privateJwk, SIGNING_ALGORITHM);
  const publicJwk = await exportJWK(createPublicKey({ key: privateJwk, format: 'jwk' }));
  const kid = await calculateJwkThumbprint(publicJwk);
  return {
    sign(payload, keysUrl) {
      return new CompactSign(Buffer.from(JSON.stringify(payload)))
        .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, jku: keysUrl, typ: 'JWS' })
        .sign(key);
    },
    publicKeys: { keys: [{ ...publicJwk, kid, alg: SIGNING_ALGORITHM, use: 'sig', key_ops: ['verify'] }] },
  };
}
