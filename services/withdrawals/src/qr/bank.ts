import { type Outbound, OutboundError } from '@plataforma/http';
import { invalidCode, unresolvable } from './refusals.ts';

/**
 * Two HTTP clients. `guarded` refuses plain HTTP and private addresses. `unguarded` accepts them and is only
 * for trusted hosts.
 */
interface WaysOut {
  guarded: Pick<Outbound, 'request'>;
  unguarded: Pick<Outbound, 'request'>;
}

export interface BankSettings {
  outbound: WaysOut;
  /**
   * The `host:port` values of trusted banks. The service calls these banks over plain HTTP, even at private
   * addresses.
   */
  trustedHosts: ReadonlySet<string>;
  /** The hosts whose public keys may verify charges that a different host serves. */
  trustedIssuers: ReadonlySet<string>;
  timeoutMs: number;
}

/** A client of the bank that issued a QR code. All requests for the same code share one deadline. */
interface Bank {
  payload(): Promise<Buffer>;
  /** Fetches the bank's public keys from the address in the charge's signed header. */
  keys(jku: string): Promise<Buffer>;
}

/** Builds a client of the bank in a QR code. `location` is `host[:port]/path` without a scheme. */
export function bankAt(location: string, settings: BankSettings): Bank {
  const { outbound, trustedHosts, timeoutMs } = settings;
  const authority = location.slice(0, location.indexOf('/')).toLowerCase();
  const isTrusted = trustedHosts.has(authority);
  const own = URL.parse(`${isTrusted ? 'http' : 'https'}://${location}`);
  const deadline = performance.now() + timeoutMs;

  async function get(url: URL | null, { accept, faultOf }: Document): Promise<Buffer> {
    // Refuse ports other than 443, because no bank serves charges there.
    if (!url || (!isTrusted && url.port !== '')) throw unreachable();
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) throw tooSlow();
    return fetchOver(isTrusted ? outbound.unguarded : outbound.guarded, {
      url,
      accept,
      faultOf,
      timeoutMs: leftMs,
    });
  }
  const isBanks = (jku: URL) => {
    if (isTrusted) return authorityOf(jku) === authority;
    return jku.protocol === 'https:' && (jku.host === own?.host || settings.trustedIssuers.has(jku.host));
  };

  return {
    payload: () => get(own, chargeDocument),
    async keys(address) {
      const jku = URL.parse(address);
      if (!jku || !isBanks(jku)) throw invalidCode('the code is not signed by the bank it leads to');
      return get(jku, keysDocument);
    },
  };
}

function authorityOf({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`;
}

interface Document {
  accept: string;
  /** Returns the message for the merchant if the bank's answer is not the document. */
  faultOf(answer: { status: number; isCut: boolean }): string | null;
}

const chargeDocument: Document = {
  accept: 'application/jose',
  faultOf({ status, isCut }) {
    if (status === 404 || status === 410)
      return 'the bank behind the code has no such charge: it was paid, removed or has expired';
    if (status !== 200) return 'the bank behind the code does not give the charge';
    return isCut ? 'the bank behind the code answers more than a charge can be' : null;
  },
};

const keysDocument: Document = {
  accept: 'application/json',
  faultOf: ({ status, isCut }) =>
    status === 200 && !isCut ? null : 'the bank behind the code does not give its keys',
};

interface BankRequest extends Document {
  url: URL;
  timeoutMs: number;
}

/**
 * Fetches a document from a bank. Does not follow redirects, because a redirect could lead to a host that
 * does not belong to the bank in the QR code.
 */
async function fetchOver(
  outbound: WaysOut['guarded'],
  { url, accept, faultOf, timeoutMs }: BankRequest,
): Promise<Buffer> {
  const headers = { accept, 'accept-encoding': 'identity', 'user-agent': 'Plataforma/1.0' };
  const answer = await outbound
    .request({ method: 'GET', url: url.href, headers, timeoutMs })
    .catch((error) => {
      throw error instanceof OutboundError ? refusalOf(error) : error;
    });
  const fault = faultOf(answer);
  if (fault !== null) throw unresolvable(fault);
  return answer.body;
}

function refusalOf({ failure }: OutboundError): Error {
  if (failure === 'timeout') return tooSlow();
  if (failure === 'url_refused') return unreachable();
  // Omit the details of the error, because callers could otherwise find out which hosts exist in the
  // platform's network.
  return unresolvable('the bank behind the code can’t be reached');
}

function unreachable(): Error {
  return unresolvable('the code leads to an address that no bank has');
}

function tooSlow(): Error {
  return unresolvable('the bank behind the code does not answer in time');
}
