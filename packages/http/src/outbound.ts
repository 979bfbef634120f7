import { isIP, type LookupFunction } from 'node:net';
import { asCall } from '@plataforma/observe';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { skipInterimAnswers } from './interim-answers.ts';
import { type ResolveName, resolveBySystem, resolvingByDns } from './names.ts';
import { failureOf, OutboundError } from './outbound-error.ts';
import { createCollector } from './pieces.ts';
import { isPublicAddress } from './public-address.ts';

interface OutboundRequest {
  method: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  body?: Buffer;
  /** For finding, connecting, sending and the whole answer together. */
  timeoutMs: number;
  /** The status is the answer: a body that stalls or breaks off is kept as far as it came. */
  isStatusEnough?: boolean;
}

interface OutboundAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** As it came, not decompressed; when `isCut` its beginning, of `maxBytes` at most. */
  body: Buffer;
  isCut: boolean;
}

export interface Outbound {
  /** The answer, whatever its status: redirects are not followed. Without one, throws an OutboundError. */
  request(request: OutboundRequest): Promise<OutboundAnswer>;
  /** Ends at once; what runs fails as `cancelled`. */
  close(): Promise<void>;
}

/** The rules for an address that others chose. */
export interface OutboundRules {
  /** Lifts the rules on scheme and addresses, for a platform that runs on one machine. */
  allowInsecure: boolean;
  /** Whether an address is of the installation, though it is a public one. */
  isOwnAddress?: (address: string) => boolean;
}

interface OutboundOptions extends OutboundRules {
  maxBytes?: number;
  resolve?: ResolveName;
  /** Opens connections through the guarded `lookup`. */
  openSocket?: (lookup: LookupFunction) => buildConnector.connector;
}

const DEFAULT_MAX_BYTES = 64 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;
/** Shorter than most servers', so that we seldom write into a connection that is just closing. */
const KEEP_ALIVE_MS = 2_000;
/** A deadline that is noticed later than this was missed by our own process. */
const STANDSTILL_MS = 1_000;

/**
 * Requests to addresses that others chose. Unless insecure: https only, and never to a private, local or
 * reserved address. Literals are refused before, every address a name resolves to is checked, the connection
 * goes to one of those, and the connected socket is looked at once more. What was checked is reused.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const { maxBytes = DEFAULT_MAX_BYTES } = options;
  const agent = new Agent({
    connect: guardedConnector(options),
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // The deadline of each request covers both; these are idle timers, which a dripping server never meets.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  return {
    async request({ url, method, headers = {}, body, timeoutMs, isStatusEnough = false }) {
      const target = URL.parse(url);
      const reason = reasonAgainst(target, options);
      if (target === null || reason) throw new OutboundError('url_refused', reason ?? 'is no URL');
      const path = target.pathname + target.search;
      const request = { origin: target.origin, path, method, headers, body: body ?? null };
      return asCall({ method }, () => exchange(agent, request, { timeoutMs, maxBytes, isStatusEnough }));
    },
    close: () => agent.destroy(new OutboundError('cancelled', 'the service is stopping')),
  };
}

/**
 * Why nobody may ask us to call this URL, or undefined. A name passes unless it means this machine: what it
 * resolves to is checked whenever a connection is made.
 */
export function reasonAgainst(url: URL | null, rules: OutboundRules): string | undefined {
  if (url === null) return 'must be a URL';
  const isHttp = url.protocol === 'http:' && rules.allowInsecure;
  if (url.protocol !== 'https:' && !isHttp) return 'must be an https URL';
  if (url.username !== '' || url.password !== '') return 'may not hold credentials';
  if (url.hash !== '') return 'may not have a fragment';
  if (!isAllowedHost(url.hostname, rules)) return 'must be publicly reachable';
  return undefined;
}

/** The URL parser has already turned every spelling of an IPv4 address into the dotted one. */
function isAllowedHost(hostname: string, rules: OutboundRules): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return isAllowed(host, rules);
  return rules.allowInsecure || !/^(.*\.)?localhost\.?$/.test(host);
}

function isAllowed(address: string, { allowInsecure, isOwnAddress = () => false }: OutboundRules): boolean {
  return allowInsecure || isPublicAddress(address, isOwnAddress);
}

function guardedConnector({ resolve, openSocket, ...rules }: OutboundOptions): buildConnector.connector {
  const find = resolve ?? (rules.allowInsecure ? resolveBySystem : resolvingByDns());

  async function checkedAddresses(hostname: string) {
    const found = await find(hostname).catch((error) => {
      throw new OutboundError('local_failure', String(error));
    });
    if (found.length === 0) throw new OutboundError('name_unresolved', 'the name has no address');
    if (!found.every((address) => isAllowed(address, rules)))
      throw new OutboundError('address_refused', 'the name leads to a private address');
    return found.map((address) => ({ address, family: isIP(address) }));
  }
  const lookup: LookupFunction = (hostname, _options, callback) => {
    checkedAddresses(hostname).then(
      (addresses) => callback(null, addresses),
      (error) => callback(error, []),
    );
  };
  const connect = (openSocket ?? openSocketWith)(lookup);

  return (target, callback) => {
    // A literal address is never looked up.
    if (isIP(target.hostname) !== 0 && !isAllowed(target.hostname, rules)) {
      return callback(new OutboundError('address_refused', 'the address is private'), null);
    }
    connect(target, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (isAllowed(socket.remoteAddress ?? '', rules)) {
        skipInterimAnswers(socket);
        return callback(null, socket);
      }
      socket.destroy();
      callback(new OutboundError('address_refused', 'the connection led to a private address'), null);
    });
  };
}

/** With `autoSelectFamily` Node asks the lookup for all addresses at once and tries them in turn. */
function openSocketWith(lookup: LookupFunction): buildConnector.connector {
  return buildConnector({ lookup, autoSelectFamily: true, allowH2: false, timeout: CONNECT_TIMEOUT_MS });
}

interface Limits {
  timeoutMs: number;
  maxBytes: number;
  isStatusEnough: boolean;
}

function exchange(
  agent: Agent,
  request: Dispatcher.DispatchOptions,
  limits: Limits,
): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    const read = createCollector();
    let head: Pick<OutboundAnswer, 'status' | 'headers'> | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let failure: OutboundError | undefined;

    const deadline = startDeadline(limits.timeoutMs, (expired) => {
      failure = expired;
      controller?.abort(expired);
      fail(expired);
    });
    const finish = (isCut: boolean, { status, headers } = head ?? { status: 0, headers: {} }) => {
      deadline.end();
      resolve({ status, headers, body: read.whole().subarray(0, limits.maxBytes), isCut });
    };
    const fail = (error: OutboundError) => {
      if (head && limits.isStatusEnough) finish(true);
      else reject(deadline.end() ?? error);
    };

    agent.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        // The deadline passed while there was no connection yet: nothing may be sent any more.
        if (failure) started.abort(failure);
      },
      onResponseStart(_controller, status, headers) {
        head = { status, headers };
      },
      onResponseData(running, chunk) {
        read.add(chunk);
        if (read.size <= limits.maxBytes) return;
        finish(true);
        running.abort(new OutboundError('cancelled', 'enough was read'));
      },
      onResponseEnd: () => finish(false),
      onResponseError(_controller, error) {
        fail(failureOf(error));
      },
    });
  });
}

interface Deadline {
  /** Answers why what failed until now tells nothing of the server, if so. */
  end(): OutboundError | undefined;
}

/**
 * Expires once what has come is read: after a standstill the answer may lie in the socket. If none does, nobody knows
 * whether the server was given the time.
 */
function startDeadline(timeoutMs: number, expire: (failure: OutboundError) => void): Deadline {
  const at = performance.now() + timeoutMs;
  let immediate: NodeJS.Immediate | undefined;
  const standstill = () =>
    performance.now() - at > STANDSTILL_MS
      ? new OutboundError('local_failure', 'the process stood still')
      : undefined;
  const timer = setTimeout(() => {
    immediate = setImmediate(() =>
      expire(standstill() ?? new OutboundError('timeout', `no complete answer within ${timeoutMs} ms`)),
    );
  }, timeoutMs);
  return {
    end() {
      clearTimeout(timer);
      clearImmediate(immediate);
      return standstill();
    },
  };
}
