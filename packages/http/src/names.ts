import { lookup as systemLookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** All addresses of a name, none where it has none; fails where nobody could be asked. */
export type ResolveName = (hostname: string) => Promise<string[]>;

/** Together shorter than a request may take, however many name servers are tried in turn. */
const LOOKUP_MS = 5_000;
const PROBE_MS = 2_500;

/** After these nobody knows whether the name has an address. */
const WITHOUT_WORD: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ETIMEOUT', 'ESERVFAIL']);

/**
 * Not through the system's resolver: that one has four threads, which one slow name server can keep busy. A name of which
 * no word comes has broken servers of its own, as long as our resolver still finds the root, which all of them know.
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

/** Returns the records, which may be none; null: no answer. */
function wordOf(query: Promise<string[]>, timeoutMs: number): Promise<string[] | null> {
  const word = query.catch(({ code }) => (WITHOUT_WORD.has(code) ? null : []));
  return Promise.race([word, sleep(timeoutMs, null, { ref: false })]);
}

/** Knows the names of this machine and its hosts file too; every failure is taken for a name without an address. */
export function resolveBySystem(hostname: string): Promise<string[]> {
  return new Promise((resolve) => {
    systemLookup(hostname, { all: true }, (error, found) => {
      resolve(error ? [] : found.map(({ address }) => address));
    });
  });
}
