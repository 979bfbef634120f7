import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { algorithms } from './algorithms.ts';
import { invalidCode } from './refusals.ts';

const MAX_URL_LENGTH = 2048;
const MAX_CERTIFICATES = 10;

const header = z.object({
  alg: z.enum(algorithms),
  kid: z.string().min(1),
  /** Where the signer's keys are. */
  jku: z.string().min(1).max(MAX_URL_LENGTH),
  x5t: z.string().optional(),
  'x5t#S256': z.string().optional(),
  x5c: z.array(z.string()).max(MAX_CERTIFICATES).optional(),
  // Names extensions that must be understood; we understand none (RFC 7515, 4.1.11).
  crit: z.undefined().optional(),
});

export type JwsHeader = z.infer<typeof header>;

export interface Jws {
  header: JwsHeader;
  /** Worth nothing before the signature is checked. */
  payload: Buffer;
  signed: Buffer;
  signature: Buffer;
}

const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;

/** Reads a JWS in its compact form (RFC 7515, 7.1); only blanks around it are forgiven. */
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

/** The value in JSON bytes, or undefined. */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** One text for one value: two texts of the same bytes would be two tokens with one signature. */
function decoded(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (text === '' || bytes.toString('base64url') !== text) throw notSigned();
  return bytes;
}

function notSigned(): Error {
  return invalidCode('the answer of the bank behind the code is not signed as Pix requires');
}
