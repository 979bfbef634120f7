import { isIP } from 'node:net';
import { errors } from 'undici';

/** The reason why a request to an outside server got no answer; short enough to be recorded. */
export type OutboundFailure =
  | 'url_refused'
  | 'address_refused'
  | 'name_unresolved'
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'
  | 'invalid_answer'
  /** A fault of this machine: no descriptor, port, route or resolver, or a process that stood still. */
  | 'local_failure'
  | 'cancelled';

export class OutboundError extends Error {
  readonly failure: OutboundFailure;

  constructor(failure: OutboundFailure, message: string) {
    super(message);
    this.name = 'OutboundError';
    this.failure = failure;
  }
}

/** Codes of faults of this machine. EHOSTUNREACH may be the server's fault, and counts as that. */
const LOCAL_CODES = new Set([
  ...['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'],
  ...['EADDRNOTAVAIL', 'ENETDOWN', 'ENETUNREACH'],
]);
/** For an IPv6 address, these mean that this machine has no IPv6, and count against an IPv6-only server. */
const NO_IPV6_CODES = new Set(['EADDRNOTAVAIL', 'ENETUNREACH', 'EHOSTUNREACH']);

const TLS_CODES = /^(ERR_TLS|ERR_SSL|CERT_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/;
const NOT_HTTP = /^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_)/;

export function failureOf(error: Error): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  if (isLocal(error)) return new OutboundError('local_failure', code);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return new OutboundError('timeout', code);
  if (TLS_CODES.test(code)) return new OutboundError('tls_failed', code);
  if (error instanceof errors.HTTPParserError || NOT_HTTP.test(code)) {
    return new OutboundError('invalid_answer', 'the answer is not HTTP');
  }
  return new OutboundError('connection_failed', code || 'the connection failed');
}

const codeOf = (error: object) => ('code' in error ? String(error.code) : '');

/** Returns true when all conclusive failures are local; `errors` has one for each tried address. */
function isLocal(error: Error): boolean {
  const each = 'errors' in error && Array.isArray(error.errors) ? error.errors : [error];
  const conclusive = each.filter(
    (one) => !(NO_IPV6_CODES.has(codeOf(one)) && 'address' in one && isIP(String(one.address)) === 6),
  );
  return conclusive.length > 0 && conclusive.every((one) => LOCAL_CODES.has(codeOf(one)));
}
