import { lookup as systemLookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Returns all addresses of a name, or an empty list. Rejects when no name server answers. */
export type ResolveName = (hostname: string) => Promise<string[]>;

/**
 * The timeouts of a lookup, and of the query for the root zone that may follow the lookup. Their sum is
 * shorter than the timeout of a request.
 */
const LOOKUP_MS = 5_000;
const PROBE_MS = 2_500;

/** DNS errors after which it is still unknown whether the name has an address. */
const WITHOUT_WORD: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ETIMEOUT', 'ESERVFAIL']);

/**
 * Creates a resolver that queries DNS directly, because one slow name server can block all four threads of
 * the system's resolver. Returns an empty list if name servers answer for the root zone but not for this
 * name. Throws if no name server answers.
 */
export function resolvingByDns(servers?: readonly string[]): ResolveName {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers) resolver.setServers(servers);

  return async (hostname) => {
    const answers = await Promise.all([
      wordOf(resolver.resolve4(hostname), LOOKUP_MS),
      wordOf(resolver.resolve6(hostname), LOOKUP_MS),
    ]);
    const found = answers.flatMap((answer) => answer ?? []);
    if (found.length > 0 || !answers.includes(null)) return found;
    const root = await wordOf(resolver.resolveNs('.'), PROBE_MS);
    if (root === null) throw new Error('no name server answers');
    return [];
  };
}

/** Returns the records, possibly an empty list. Returns null when no name server answers the query. */
function wordOf(query: Promise<string[]>, timeoutMs: number): Promise<string[] | null> {
  const word = query.catch(({ code }) => (WITHOUT_WORD.has(code) ? null : []));
  return Promise.race([word, sleep(timeoutMs, null, { ref: false })]);
}

/**
 * Resolves a name with the system's resolver, which also knows local names and the hosts file. Returns an
 * empty list after any failure.
 */
export function resolveBySystem(hostname: string): Promise<string[]> {
  return new Promise((resolve) => {
    systemLookup(hostname, { all: true }, (error, found) => {
      resolve(error ? [] : found.map(({ address }) => address));
    });
  });
}
