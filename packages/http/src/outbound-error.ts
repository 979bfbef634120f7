import { isIP } from 'node:net';
import { errors } from 'undici';

/** The reason why a request to an outside server got no answer, as a short word for the records. */
export type OutboundFailure =
  | 'url_refused'
  | 'address_refused'
  | 'name_unresolved'
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'
  | 'invalid_answer'
  /**
   * A fault of this machine: it has no file descriptor, port, route or resolver, or the process did not run
   * for seconds.
   */
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

/**
 * Error codes of faults of this machine. EHOSTUNREACH is not among them, because it may be a fault of the
 * server.
 */
const LOCAL_CODES = new Set([
  ...['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'],
  ...['EADDRNOTAVAIL', 'ENETDOWN', 'ENETUNREACH'],
]);
/**
 * For an IPv6 address, these codes mean that this machine has no IPv6. They do not count as a local fault, so
 * a server that has only IPv6 addresses counts as unreachable.
 */
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

/**
 * Returns true when all failures are faults of this machine. Ignores failures that only show that the machine
 * has no IPv6. `errors` has one failure for each address that Node tried.
 */
function isLocal(error: Error): boolean {
  const each = 'errors' in error && Array.isArray(error.errors) ? error.errors : [error];
  const conclusive = each.filter(
    (one) => !(NO_IPV6_CODES.has(codeOf(one)) && 'address' in one && isIP(String(one.address)) === 6),
  );
  return conclusive.length > 0 && conclusive.every((one) => LOCAL_CODES.has(codeOf(one)));
}
