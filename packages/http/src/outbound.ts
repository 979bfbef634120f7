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
  /** The longest time of the whole request: name lookup, connection, request and complete answer. */
  timeoutMs: number;
  /**
   * True when the caller needs only the status. If the body then stalls or breaks off, the request still
   * succeeds, with the part of the body that arrived.
   */
  isStatusEnough?: boolean;
}

interface OutboundAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /**
   * The bytes as received, not decompressed, and at most `maxBytes`. When `isCut` is true, they are only the
   * beginning of the body.
   */
  body: Buffer;
  isCut: boolean;
}

export interface Outbound {
  /**
   * Returns an answer of any status, and follows no redirect. Throws an OutboundError when no answer arrives.
   */
  request(request: OutboundRequest): Promise<OutboundAnswer>;
  /** Closes all connections at once. Running requests fail as `cancelled`. */
  close(): Promise<void>;
}

/** The rules for addresses that merchants and other outsiders choose. */
export interface OutboundRules {
  /** True on a platform that runs on one machine: http and private addresses are then allowed. */
  allowInsecure: boolean;
  /** Returns true when a public address belongs to this installation; the client then refuses the address. */
  isOwnAddress?: (address: string) => boolean;
}

interface OutboundOptions extends OutboundRules {
  maxBytes?: number;
  resolve?: ResolveName;
  /** Returns a connector whose connections use the `lookup` that checks addresses. */
  openSocket?: (lookup: LookupFunction) => buildConnector.connector;
}

const DEFAULT_MAX_BYTES = 64 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * The time for which an idle connection stays open. Most servers close theirs later, so that a request rarely
 * meets a connection that the server is closing.
 */
const KEEP_ALIVE_MS = 2_000;
/**
 * If a request's timer fires this long after the deadline, the process itself was blocked. The failure then
 * counts as local.
 */
const STANDSTILL_MS = 1_000;

/**
 * Creates a client for requests to addresses that outsiders choose. Unless `allowInsecure`, it requires https
 * and never reaches a private, local or reserved address. It checks literal addresses, every address of a
 * name, and the address of the connected socket. It reuses connections that passed these checks.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const { maxBytes = DEFAULT_MAX_BYTES } = options;
  const agent = new Agent({
    connect: guardedConnector(options),
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // These timers are off, because a server that sends one byte now and then would restart them. Each
    // request has a deadline instead.
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
 * Returns the reason to refuse a URL, or undefined. Only `localhost` is refused by name, because the
 * addresses of a name are checked at each connection.
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

/**
 * Returns true when the host is allowed. The URL parser has already turned every notation of an IPv4 address
 * into the dotted form.
 */
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
    // A host name is checked during its lookup. A literal IP address has no lookup, so it is checked here.
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

/**
 * Creates a connector. With `autoSelectFamily` Node asks the lookup for all addresses at once, and tries one
 * after the other.
 */
function openSocketWith(lookup: LookupFunction): buildConnector.connector {
  return buildConnector({ lookup, autoSelectFamily: true, allowH2: false, timeout: CONNECT_TIMEOUT_MS });
}

function exchange(
  agent: Agent,
  request: Dispatcher.DispatchOptions,
  limits: { timeoutMs: number; maxBytes: number; isStatusEnough: boolean },
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
        // The deadline passed before the connection was made, so the request must no longer be sent.
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
  /**
   * Stops the timer of the deadline. Returns an error if our own process was blocked past the deadline,
   * because a failure is then not the server's fault.
   */
  end(): OutboundError | undefined;
}

/**
 * Calls `expire` after the timeout. First reads pending input, because an answer may have arrived while this
 * process stood still. After a standstill, a missing answer counts as `local_failure`, not as `timeout`.
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
