import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Client, Clients } from './client.ts';

export const TOKEN_LIFETIME_SECONDS = 3_600;
export const TOKEN_SCOPE = 'cob.read cob.write pix.read pix.write';

/**
 * An access token for `client`: its id, when the token ends, and a MAC under the client's own secret. Nothing
 * is stored, so every replica knows it, a restart forgets none, and a changed secret ends all of them.
 */
export function issueToken(client: Client, now: Date): string {
  const endsAt = Math.floor(now.getTime() / 1000) + TOKEN_LIFETIME_SECONDS;
  const claims = `${client.id}.${endsAt}`;
  return `${claims}.${macOf(claims, client)}`;
}

/** Whose token it is; undefined for one that is forged, ended, or of nobody we know. */
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

/** Whose secret key for cards it is. */
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

/** Of one length whatever the text's, so that comparing tells nothing of it. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
