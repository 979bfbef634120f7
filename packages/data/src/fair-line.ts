import type { Tenant } from '@plataforma/kernel';

/** The caller of a work: an account in one environment, or none where no account calls. */
export type LineHolder = Tenant | undefined;

/** Why a work gets no turn: its account, all sandboxes or all others have as many in line as may wait. */
export type LineRefusal = 'account' | 'sandboxes' | 'full';

interface FairLine {
  /** How many works run at a time. */
  total: number;
  /** How many of one account wait at most, and how many of all sandboxes, or of all others. */
  waiting: { perAccount: number; perClass: number };
  /** How long one waits at most. */
  waitMs: number;
  refuse: (why: LineRefusal) => Error;
}

interface Account {
  isSandbox: boolean;
  share: number;
  running: number;
  line: Waiter[];
}

interface Waiter {
  begin: () => void;
}

/**
 * Runs a limited number of works at a time, one of each account in turn, so that an account waits for one work of every
 * other and never for all that another one sent. All sandboxes together take half of the places, and an account leaves
 * one place of its class to the others, because a work that is slow cannot be interrupted for one that waits.
 */
export function createFairLine({ total, waiting, waitMs, refuse }: FairLine) {
  const half = Math.max(1, Math.floor(total / 2));
  /** Accounts with a work that runs or waits; the next turn is of the first that may run. */
  const accounts = new Map<string, Account>();
  const running = { all: 0, sandboxes: 0 };
  const inLine = { sandboxes: 0, full: 0 };

  function accountOf(name: string, holder: LineHolder): Account {
    const isSandbox = holder?.environment === 'sandbox';
    const share = holder ? Math.max(1, (isSandbox ? half : total) - 1) : total;
    const account = accounts.get(name) ?? { isSandbox, share, running: 0, line: [] };
    accounts.set(name, account);
    return account;
  }

  function mayRun({ isSandbox, share, running: own }: Account): boolean {
    return running.all < total && own < share && !(isSandbox && running.sandboxes >= half);
  }

  function count(account: Account, by: 1 | -1): void {
    account.running += by;
    running.all += by;
    if (account.isSandbox) running.sandboxes += by;
  }

  function beginNext(): void {
    for (const [name, account] of accounts) {
      if (running.all >= total) return;
      if (!mayRun(account)) continue;
      const waiter = account.line.shift();
      if (!waiter) continue;
      count(account, 1);
      // Behind all others: a Map is in the order of insertion, and this loop comes to it once more.
      accounts.delete(name);
      accounts.set(name, account);
      waiter.begin();
    }
  }

  function end(name: string, account: Account): void {
    const works = account.running + account.line.length;
    if (works === 0 && accounts.get(name) === account) accounts.delete(name);
  }

  async function wait(account: Account): Promise<void> {
    const callers = account.isSandbox ? 'sandboxes' : 'full';
    if (account.line.length >= waiting.perAccount) throw refuse('account');
    if (inLine[callers] >= waiting.perClass) throw refuse(callers);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { begin: resolve };
    account.line.push(waiter);
    inLine[callers] += 1;
    const timer = setTimeout(() => {
      const place = account.line.indexOf(waiter);
      if (place < 0) return;
      account.line.splice(place, 1);
      reject(refuse(callers));
    }, waitMs).unref();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      inLine[callers] -= 1;
    }
  }

  return {
    waiting: () => inLine.sandboxes + inLine.full,
    async run<T>(holder: LineHolder, work: () => Promise<T>): Promise<T> {
      const name = holder ? `${holder.merchantId} ${holder.environment}` : '';
      const account = accountOf(name, holder);
      let hasPlace = false;
      try {
        if (account.line.length === 0 && mayRun(account)) count(account, 1);
        else await wait(account);
        hasPlace = true;
        return await work();
      } finally {
        if (hasPlace) count(account, -1);
        end(name, account);
        beginNext();
      }
    },
  };
}
