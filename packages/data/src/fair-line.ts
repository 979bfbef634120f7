import type { Tenant } from '@plataforma/kernel';
import { currentContext } from '@plataforma/observe';

/**
 * The caller for whom work runs: an account in one environment, a network before the account is known, or
 * none.
 */
export type LineHolder = Tenant | { network: string } | undefined;

/** Returns the caller of the current request: its account, or its network before the account is known. */
export function currentHolder(): LineHolder {
  const { tenant, network } = currentContext() ?? {};
  return tenant ?? (network === undefined ? undefined : { network });
}

/**
 * The line that is full or too slow: the line of one account, of all sandboxes, of all networks, or of all
 * other callers.
 */
export type LineRefusal = 'account' | 'sandboxes' | 'networks' | 'full';

interface FairLine {
  /** The number of slots, which is the maximum amount of work that runs at the same time. */
  total: number;
  /**
   * The maximum number of waiting items of work: for one account, and for each class of callers (sandboxes,
   * networks, others).
   */
  waiting: { perAccount: number; perClass: number };
  /** The maximum wait for a slot, unless a call of `run` sets another time. */
  waitMs: number;
  /**
   * Milliseconds during which work counts neither against the limit of its account nor against the shared
   * limit of all sandboxes. Work of an IP network counts at once. The default is 0.
   */
  quickMs?: number;
  refuse: (why: LineRefusal) => Error;
}

interface Account {
  callers: Exclude<LineRefusal, 'account'>;
  share: number;
  running: Set<Work>;
  line: Waiter[];
}

interface Work {
  begunAt: number;
}

interface Waiter {
  begin: (work: Work) => void;
}

function classOf(holder: LineHolder): Account['callers'] {
  if (holder && 'network' in holder) return 'networks';
  return holder?.environment === 'sandbox' ? 'sandboxes' : 'full';
}

function nameOf(holder: LineHolder): string {
  if (!holder) return '';
  return 'network' in holder ? `network ${holder.network}` : `${holder.merchantId} ${holder.environment}`;
}

/** Counts running work, and decides whether further work may start. */
function createWorkLimit(total: number, quickMs: number) {
  const half = Math.max(1, Math.floor(total / 2));
  // Sandboxes may use half of the slots for slow work, and three quarters for all work. A quarter stays free
  // for others, because quick work may become slow.
  const mostOfSandboxes = quickMs > 0 ? Math.max(half, total - Math.ceil(total / 4)) : half;
  const sandboxes = new Set<Work>();
  let all = 0;
  const slowOf = (works: Set<Work>) => {
    const before = performance.now() - quickMs;
    return quickMs === 0 ? works.size : [...works].filter(({ begunAt }) => begunAt <= before).length;
  };

  return {
    half,
    isFull: () => all >= total,
    mayRun({ callers, share, running }: Account): boolean {
      // All work of a network counts against the network's share, even quick work. The networks have no
      // common limit, so their quick work could fill every slot and then become slow.
      const counted = callers === 'networks' ? running.size : slowOf(running);
      if (all >= total || counted >= share) return false;
      return callers !== 'sandboxes' || (sandboxes.size < mostOfSandboxes && slowOf(sandboxes) < half);
    },
    begin({ callers, running }: Account): Work {
      const work = { begunAt: performance.now() };
      all += 1;
      running.add(work);
      if (callers === 'sandboxes') sandboxes.add(work);
      return work;
    },
    end({ running }: Account, work: Work): void {
      all -= 1;
      running.delete(work);
      sandboxes.delete(work);
    },
  };
}

/**
 * Creates a line that runs at most `total` items of work at once. Accounts take turns, one item each. All
 * sandboxes together get half of the slots for slow work. An account's slow work never fills all slots of its
 * class. A network without an account has the limit of one sandbox.
 */
export function createFairLine({ total, waiting, waitMs, refuse, quickMs = 0 }: FairLine) {
  const limit = createWorkLimit(total, quickMs);
  /**
   * The accounts with running or waiting work. The first account that may run more work is the next to start.
   */
  const accounts = new Map<string, Account>();
  const inLine = { sandboxes: 0, networks: 0, full: 0 };

  function accountOf(name: string, holder: LineHolder): Account {
    const callers = classOf(holder);
    const share = holder ? Math.max(1, (callers === 'full' ? total : limit.half) - 1) : total;
    const account = accounts.get(name) ?? { callers, share, running: new Set(), line: [] };
    accounts.set(name, account);
    return account;
  }

  function startNext(): void {
    for (const [name, account] of accounts) {
      if (limit.isFull()) return;
      if (!limit.mayRun(account)) continue;
      const waiter = account.line.shift();
      if (!waiter) continue;
      // Moves the account to the end of the map, which keeps the order of insertion. This loop then reaches
      // it again.
      accounts.delete(name);
      accounts.set(name, account);
      waiter.begin(limit.begin(account));
    }
  }

  function end(name: string, account: Account): void {
    const works = account.running.size + account.line.length;
    if (works === 0 && accounts.get(name) === account) accounts.delete(name);
  }

  async function wait(account: Account, longestMs: number): Promise<Work> {
    const { callers } = account;
    if (account.line.length >= waiting.perAccount) throw refuse('account');
    if (inLine[callers] >= waiting.perClass) throw refuse(callers);
    const { promise, resolve, reject } = Promise.withResolvers<Work>();
    const waiter = { begin: resolve };
    account.line.push(waiter);
    inLine[callers] += 1;
    const giveUp = () => {
      const index = account.line.indexOf(waiter);
      if (index < 0) return;
      account.line.splice(index, 1);
      reject(refuse(callers));
    };
    const timer = Number.isFinite(longestMs) ? setTimeout(giveUp, longestMs).unref() : undefined;
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      inLine[callers] -= 1;
    }
  }

  return {
    waiting: () => inLine.sandboxes + inLine.networks + inLine.full,
    async run<T>(holder: LineHolder, work: () => Promise<T>, longestMs = waitMs): Promise<T> {
      const name = nameOf(holder);
      const account = accountOf(name, holder);
      let begun: Work | undefined;
      try {
        const isFree = account.line.length === 0 && limit.mayRun(account);
        begun = isFree ? limit.begin(account) : await wait(account, longestMs);
        return await work();
      } finally {
        if (begun) limit.end(account, begun);
        end(name, account);
        startNext();
      }
    },
  };
}
