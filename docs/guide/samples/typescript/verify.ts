import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Verifies `X-Webhook-Signature`: `sha256=` and the HMAC-SHA256, in hex, of the raw body. The key is the
 * whole text of the secret.
 */
export function verify(body: Uint8Array, signature: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => {
    // An attacker can sign with an empty secret, because its key is public knowledge.
    if (/^(?:whsec_)?\s*$/.test(secret)) return false;
    const expected = createHmac('sha256', secret).update(body).digest('hex');
    return isSame(`sha256=${expected}`, signature);
  });
}

export interface StandardHeaders {
  id: string;
  timestamp: string;
  /** One signature, or several that are separated by blanks. */
  signatures: string;
}

/**
 * Verifies Standard Webhooks: the signature covers `webhook-id`, `webhook-timestamp` and the raw body.
 * Refuses a timestamp that differs from now by more than five minutes.
 */
export function verifyStandard(
  body: Uint8Array,
  { id, timestamp, signatures }: StandardHeaders,
  { secrets, now = Date.now() / 1000 }: { secrets: readonly string[]; now?: number },
): boolean {
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > 300) return false;
  return secrets.some((secret) => {
    const key = keyOf(secret);
    if (!key) return false;
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
    const expected = `v1,${hmac.digest('base64')}`;
    return signatures.split(' ').some((each) => isSame(expected, each));
  });
}

/**
 * Returns null unless the secret has 24 bytes or more and, after `whsec_`, is Base64. An attacker could guess
 * a shorter key.
 */
function keyOf(secret: string): Buffer | null {
  const isEncoded = secret.startsWith('whsec_');
  const key = isEncoded ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
  if (isEncoded && `whsec_${key.toString('base64')}` !== secret) return null;
  return key.length < 24 ? null : key;
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
