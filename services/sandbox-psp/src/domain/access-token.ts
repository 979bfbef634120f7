import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Client, Clients } from './client.ts';

export const TOKEN_LIFETIME_SECONDS = 3_600;
export const TOKEN_SCOPE = 'cob.read cob.write pix.read pix.write';

/**
 * Issues an access token: the client's id, the token's end in Unix seconds, and a MAC under the client's
 * secret. Tokens are not stored, so every replica accepts a token, even after a restart. If the client's
 * secret changes, all its tokens become invalid.
 */
export function issueToken(client: Client, now: Date): string {
  const endsAt = Math.floor(now.getTime() / 1000) + TOKEN_LIFETIME_SECONDS;
  const claims = `${client.id}.${endsAt}`;
  return `${claims}.${macOf(claims, client)}`;
}

/**
 * Returns the client to which the token was issued; undefined if the token is forged or expired, or if the
 * client is unknown.
 */
export function clientOfToken(token: string, clients: Clients, now: Date): Client | undefined {
  const [id = '', endsAt = '', mac = ''] = token.split('.');
  const client = clients.get(id);
  if (!client || !isEqual(Buffer.from(mac), Buffer.from(macOf(`${id}.${endsAt}`, client)))) return undefined;
  return Number(endsAt) * 1000 > now.getTime() ? client : undefined;
}

export function clientOfCredentials(id: string, secret: string, clients: Clients): Client | undefined {
  const client = clients.get(id);
  return client && isEqual(digestOf(secret), digestOf(client.secret)) ? client : undefined;
}

export function clientOfSecretKey(secretKey: string, clients: Clients): Client | undefined {
  const given = digestOf(secretKey);
  return [...clients.values()].find(({ cards }) => cards && isEqual(given, digestOf(cards.secretKey)));
}

function macOf(claims: string, client: Client): string {
  return createHmac('sha256', client.secret).update(`access-token ${claims}`).digest('base64url');
}

function isEqual(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * Returns a hash of fixed length, so that the time of a comparison does not reveal the length of the text.
 */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
