import type { ServerResponse } from 'node:http';
import { type Endpoint, statusOfKind, USELESS_CARD_TOKEN } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { type AddressOf, createSlots, type HttpRequest, LEAVES, whenClosed } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { siteOf } from '@plataforma/kernel/addresses';
import type { Log } from '@plataforma/observe';
import { networkCounter, networkNames } from '../store/rate-counters.ts';
import type { Answered } from './forwarding.ts';
import { refusalOf } from './limits.ts';
import { WINDOW_SECONDS } from './public-tries.ts';

/**
 * Forwards a request. If the endpoint has `declinesPerNetwork`, throws RATE_LIMITED when too many card
 * payments from the caller's network were declined before.
 */
export type LimitDeclines = (
  req: HttpRequest,
  endpoint: Endpoint,
  forward: (answered?: Answered) => Promise<void>,
) => Promise<void>;

/** The requests of one network on this replica. */
interface Line {
  all: number;
  underWay: number;
  counted: number;
  waiting: Set<() => void>;
}

interface Caller {
  isGone: boolean;
  wake: () => void;
}

const MOST_WAIT_MS = 20_000;
/**
 * One network may have 256 waiting requests, because buyers may share an address. A network gets its nth slot
 * (n > 1) only if 8n slots then stay free, so that a few networks cannot take all.
 */
const MOST_WAITING = { total: 4_096, perHolder: 256, leaves: LEAVES };

/**
 * Limits the declined cards of a network, on all replicas together. A network may have only as many requests
 * in progress as it has declines left; its other requests wait.
 */
export function declineLimit(dependencies: {
  database: Database;
  addressOf: AddressOf;
  log: Log;
}): LimitDeclines {
  const { database, addressOf, log } = dependencies;
  const lines = new Map<string, Line>();
  const takeWait = createSlots(MOST_WAITING);

  return async (req, { method, path, tries }, forward) => {
    const { res } = req;
    const limit = tries?.declinesPerNetwork;
    if (limit === undefined || !res) return forward();
    const name = `${method} ${path} declines`;
    const declines = networkCounter(database, { name, limit, windowSeconds: WINDOW_SECONDS });
    const names = networkNames(addressOf(req));
    const [network] = names;
    const left = () =>
      declines.left(names).catch((exceeded) => {
        throw refusalOf(res, limit, exceeded);
      });
    const answered: Answered = async (status, body) => {
      if (
        status !== statusOfKind.declined &&
        !(status === statusOfKind.invalid && body.includes(USELESS_CARD_TOKEN))
      )
        return;
      await declines
        .count(names)
        .then(() => {
          line.counted += 1;
        })
        .catch((error) => log.error({ err: error }, 'declined card not counted for its network'));
    };

    const line = lines.get(network) ?? { all: 0, underWay: 0, counted: 0, waiting: new Set() };
    const endWait = takeWait(siteOf(addressOf(req)));
    if (!endWait) throw tooMany();
    lines.set(network, line);
    line.all += 1;
    try {
      await waitForDecline(line, left, res).finally(endWait);
      await forward(answered).finally(() => {
        line.underWay -= 1;
      });
    } finally {
      for (const wake of [...line.waiting].slice(0, 1)) wake();
      line.all -= 1;
      if (line.all === 0) lines.delete(network);
    }
  };
}

/**
 * Waits until the request may be forwarded. Throws if the network has no declines left, if the wait exceeds
 * MOST_WAIT_MS, or if the caller has hung up.
 */
async function waitForDecline(line: Line, left: () => Promise<number>, res: ServerResponse): Promise<void> {
  const until = Date.now() + MOST_WAIT_MS;
  const caller: Caller = { isGone: false, wake: () => undefined };
  whenClosed(res, () => {
    caller.isGone = true;
    caller.wake();
  });
  for (;;) {
    const { counted } = line;
    const most = await left();
    // A decline was counted during the read, and the result may lack it, so the count is read again.
    if (line.counted !== counted) continue;
    if (line.underWay < most) break;
    if (await isOver(line, until - Date.now(), caller)) throw tooMany();
  }
  line.underWay += 1;
}

function tooMany(): Refusal {
  const message = 'too many cards of your network are being charged; try again shortly';
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
}

/**
 * Waits at most `ms` until another request of the network ends. Resolves to true if the time is over or the
 * caller has hung up.
 */
async function isOver({ waiting }: Line, ms: number, caller: Caller): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const wake = () => resolve(caller.isGone);
  caller.wake = wake;
  if (caller.isGone) wake();
  waiting.add(wake);
  const timer = setTimeout(resolve, Math.max(ms, 0), true);
  return promise.finally(() => {
    clearTimeout(timer);
    waiting.delete(wake);
  });
}
