import type { Request } from 'express';

const BASIC = /^Basic +([A-Za-z0-9+/=]+)$/i;

/**
 * Returns the user and password of HTTP Basic (RFC 7617); empty texts if the request has no valid Basic
 * header.
 */
export function basicCredentials(req: Pick<Request, 'get'>): { user: string; password: string } {
  const encoded = BASIC.exec(req.get('authorization') ?? '')?.[1] ?? '';
  const credentials = Buffer.from(encoded, 'base64').toString();
  const colon = credentials.indexOf(':');
  return { user: credentials.slice(0, Math.max(colon, 0)), password: credentials.slice(colon + 1) };
}
