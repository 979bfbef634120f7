import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import typeIs from 'type-is';

export type BodyKind = Pick<Endpoint, 'takesFile' | 'anyBodyType'>;

/** Returns true when the headers announce a body, even if the body then turns out to be empty. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/gi;
const UTF_8 = /^utf-?8$/i;

/**
 * Refuses with UNSUPPORTED_MEDIA_TYPE a body that is not JSON in UTF-8. Removes the charset from the header,
 * because body parsers and services of earlier releases refuse the charset name `utf8`.
 */
export function requireJson(req: IncomingMessage): void {
  if (!typeIs(req, ['application/json'])) throw unsupported('must be application/json');
  const charsets = [...(req.headers['content-type'] ?? '').matchAll(CHARSET)];
  if (charsets.some(([, name = '']) => !UTF_8.test(name))) {
    throw unsupported('must be UTF-8; send Content-Type: application/json');
  }
  markJson(req);
}

export function requireKind(req: IncomingMessage, { takesFile, anyBodyType }: BodyKind): void {
  if (takesFile) boundaryOf(req);
  else if (anyBodyType) markJson(req);
  else requireJson(req);
}

function markJson(req: IncomingMessage): void {
  req.headers['content-type'] = 'application/json';
}

const BOUNDARY = /;\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1\s*(?=;|$)/gi;

/**
 * Returns the boundary of a form (RFC 2046, 5.1.1). Refuses a header with two boundaries, because two servers
 * could then read two different forms.
 */
export function boundaryOf(req: IncomingMessage): string {
  if (!typeIs(req, ['multipart/form-data'])) throw unsupported('must be multipart/form-data');
  const [first, ...others] = (req.headers['content-type'] ?? '').matchAll(BOUNDARY);
  if (first?.[2] && others.length === 0) return first[2];
  throw unsupported('must be multipart/form-data with one boundary');
}

function unsupported(reason: string): Refusal {
  return new Refusal('media_type', 'UNSUPPORTED_MEDIA_TYPE', `body: ${reason}`);
}
