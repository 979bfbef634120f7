import type { IncomingMessage, ServerResponse } from 'node:http';
import { environments, Refusal } from '@plataforma/kernel';
import { hasBody } from './body-type.ts';
import { headerOf } from './follow.ts';

const MAX_HEADERS = 100;
const MAX_TARGET = 8 * 1024;
/** Matches an encoded or doubled slash, a backslash, a NUL, or a segment of one or two dots. */
const AMBIGUOUS_PATH = /%2f|%5c|%00|\\|\/\/|(^|\/)(\.|%2e){1,2}(\/|$)/i;
/** Matches a path of this server in printable ASCII. An absolute URL, `*` and a fragment do not match. */
const OWN_TARGET = /^\/[!-"$-~]*$/;
/**
 * Headers that a request may have only once, because some servers join two values and others take the first
 * value.
 */
const SINGLE_HEADERS = [
  'host',
  'authorization',
  'x-api-key',
  'x-environment',
  'idempotency-key',
  'content-type',
  'transfer-encoding',
];
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Refuses a request that two servers in a row could read differently. This check runs before authentication.
 */
export function refuseAmbiguous(req: IncomingMessage, res: ServerResponse): void {
  closing(res, refusalOfSize(req) ?? refusalOfFraming(req));
  requireClearTarget(req);
}

/** Refuses an unexpected or compressed body, a request with two credentials, and an unknown environment. */
export function refuseContradictory(
  req: IncomingMessage,
  res: ServerResponse,
  isFromProvider: boolean,
): void {
  closing(res, refusalOfBody(req));
  requireOneMeaning(req);
  // A provider may use the header `X-Environment` for its own purposes.
  if (!isFromProvider) requireEnvironment(req);
}

/** Throws the refusal and closes the connection, because the end of the refused request may be unclear. */
function closing(res: ServerResponse, refusal: Refusal | undefined): void {
  if (!refusal) return;
  res.setHeader('Connection', 'close');
  throw refusal;
}

function refusalOfSize({ rawHeaders, url = '' }: IncomingMessage): Refusal | undefined {
  if (rawHeaders.length / 2 > MAX_HEADERS) {
    return new Refusal('headers_too_large', 'HEADERS_TOO_LARGE', `headers: must be at most ${MAX_HEADERS}`);
  }
  if (url.length <= MAX_TARGET) return undefined;
  return new Refusal('uri_too_long', 'URI_TOO_LONG', 'path: must be at most 8 KiB, with its query');
}

function refusalOfFraming(req: IncomingMessage): Refusal | undefined {
  const encoding = req.headers['transfer-encoding'];
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || req.httpVersion !== '1.1')) {
    return invalid('Transfer-Encoding: must be chunked, in HTTP/1.1');
  }
  const twice = SINGLE_HEADERS.find((name) => (req.headersDistinct[name]?.length ?? 0) > 1);
  if (twice) return invalid(`${spelled(twice)}: must be sent once`);
  return undefined;
}

function refusalOfBody(req: IncomingMessage): Refusal | undefined {
  const isUnexpected = WITHOUT_BODY.has(req.method ?? '') && hasBody(req);
  return isUnexpected ? invalid(`body: ${req.method} takes none`) : undefined;
}

function requireClearTarget({ url = '' }: IncomingMessage): void {
  const [path = ''] = url.split('?', 1);
  if (!OWN_TARGET.test(url) || AMBIGUOUS_PATH.test(path)) throw invalid('path: is ambiguous');
}

function requireOneMeaning(req: IncomingMessage): void {
  const { headers } = req;
  if (headers['x-api-key'] && headers.authorization) {
    throw invalid('X-API-Key: can’t be sent together with Authorization');
  }
  const encoding = headerOf(req, 'content-encoding')?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    throw new Refusal('media_type', 'UNSUPPORTED_MEDIA_TYPE', 'body: must not be compressed');
  }
}

function requireEnvironment(req: IncomingMessage): void {
  const named = headerOf(req, 'x-environment');
  if (named === undefined || environments.some((environment) => environment === named)) return;
  throw invalid('X-Environment: must be sandbox or production, or left out');
}

function invalid(message: string): Refusal {
  return new Refusal('invalid', 'VALIDATION_ERROR', message);
}

function spelled(name: string): string {
  return name.replace('api', 'API').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
