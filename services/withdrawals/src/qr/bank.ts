import { type Outbound, OutboundError } from '@plataforma/http';
import { invalidCode, unresolvable } from './refusals.ts';

/** The two ways out: only hosts that are trusted by name are called without TLS or at a private address. */
interface WaysOut {
  guarded: Pick<Outbound, 'request'>;
  unguarded: Pick<Outbound, 'request'>;
}

export interface BankSettings {
  outbound: WaysOut;
  /** `host:port`, called over plain HTTP wherever they are. */
  trustedHosts: ReadonlySet<string>;
  /** Hosts whose keys are taken although they are not the code's own host. */
  trustedIssuers: ReadonlySet<string>;
  timeoutMs: number;
}

/** The bank behind one code: all that is fetched from it shares one deadline. */
interface Bank {
  payload(): Promise<Buffer>;
  /** The keys at an address that the bank itself gave. */
  keys(jku: string): Promise<Buffer>;
}

/** Builds a client of the bank at `location`: `host[:port]/path` without a scheme, as the code has it. */
export function bankAt(location: string, settings: BankSettings): Bank {
  const { outbound, trustedHosts, timeoutMs } = settings;
  const authority = location.slice(0, location.indexOf('/')).toLowerCase();
  const isTrusted = trustedHosts.has(authority);
  const own = URL.parse(`${isTrusted ? 'http' : 'https'}://${location}`);
  const deadline = performance.now() + timeoutMs;

  async function get(url: URL | null, accept: string): Promise<Buffer> {
    // Behind other ports of a host stand things that are no bank.
    if (!url || (!isTrusted && url.port !== '')) throw unreachable();
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) throw tooSlow();
    return fetchOver(isTrusted ? outbound.unguarded : outbound.guarded, { url, accept, timeoutMs: leftMs });
  }
  const isBanks = (jku: URL) => {
    if (isTrusted) return authorityOf(jku) === authority;
    return jku.protocol === 'https:' && (jku.host === own?.host || settings.trustedIssuers.has(jku.host));
  };

  return {
    payload: () => get(own, 'application/jose'),
    async keys(address) {
      const jku = URL.parse(address);
      if (!jku || !isBanks(jku)) throw invalidCode('the code is not signed by the bank it leads to');
      return get(jku, 'application/json');
    },
  };
}

/** Always with its port. */
function authorityOf({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`;
}

interface BankRequest {
  url: URL;
  accept: string;
  timeoutMs: number;
}

/** A bank that sends its callers elsewhere is not followed: the address in the code is the one it signed up for. */
async function fetchOver(
  outbound: WaysOut['guarded'],
  { url, accept, timeoutMs }: BankRequest,
): Promise<Buffer> {
  const headers = { accept, 'accept-encoding': 'identity', 'user-agent': 'Plataforma/1.0' };
  const answer = await outbound
    .request({ method: 'GET', url: url.href, headers, timeoutMs })
    .catch((error) => {
      throw error instanceof OutboundError ? refusalOf(error) : error;
    });
  if (answer.status === 404 || answer.status === 410) {
    throw unresolvable('the bank behind the code has no such charge: it was paid, removed or has expired');
  }
  if (answer.status !== 200) throw unresolvable('the bank behind the code does not give the charge');
  if (answer.isCut) throw unresolvable('the bank behind the code answers more than a charge can be');
  return answer.body;
}

function refusalOf({ failure }: OutboundError): Error {
  if (failure === 'timeout') return tooSlow();
  if (failure === 'url_refused') return unreachable();
  // Gives no details, because callers would learn which names exist in our network.
  return unresolvable('the bank behind the code can’t be reached');
}

function unreachable(): Error {
  return unresolvable('the code leads to an address that no bank has');
}

function tooSlow(): Error {
  return unresolvable('the bank behind the code does not answer in time');
}
