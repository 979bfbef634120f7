import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { algorithms } from './algorithms.ts';
import { invalidCode } from './refusals.ts';

const MAX_URL_LENGTH = 2048;
const MAX_CERTIFICATES = 10;

const header = z.object({
  alg: z.enum(algorithms),
  kid: z.string().min(1),
  jku: z.string().min(1).max(MAX_URL_LENGTH),
  x5t: z.string().optional(),
  'x5t#S256': z.string().optional(),
  x5c: z.array(z.string()).max(MAX_CERTIFICATES).optional(),
  // A list of extensions that the reader must understand (RFC 7515, 4.1.11). This service supports none, so
  // it refuses a header with this field.
  crit: z.undefined().optional(),
});

export type JwsHeader = z.infer<typeof header>;

export interface Jws {
  header: JwsHeader;
  /** The content, which must not be trusted before the signature is verified. */
  payload: Buffer;
  signed: Buffer;
  signature: Buffer;
}

const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;

/**
 * Parses a JWS in compact form (RFC 7515, 7.1). Ignores white space around it. Throws INVALID_QR_CODE if it
 * is malformed.
 */
export function parseJws(body: Buffer): Jws {
  const [, head = '', content = '', mark = ''] = COMPACT.exec(body.toString('latin1').trim()) ?? [];
  const result = header.safeParse(parseJson(decoded(head)));
  if (!result.success) throw notSigned();
  return {
    header: result.data,
    payload: decoded(content),
    signed: Buffer.from(`${head}.${content}`, 'latin1'),
    signature: decoded(mark),
  };
}

/** Parses JSON. Returns undefined if the bytes are not valid UTF-8 or not valid JSON. */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Decodes base64url. Accepts only the canonical form, so that the same signed bytes cannot be written in two
 * ways.
 */
function decoded(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (text === '' || bytes.toString('base64url') !== text) throw notSigned();
  return bytes;
}

function notSigned(): Error {
  return invalidCode('the answer of the bank behind the code is not signed as Pix requires');
}
