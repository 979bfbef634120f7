import { type Bank, eventually } from '@plataforma/testing';
import { Pool } from 'undici';
import type { Dice } from '../dice.ts';
import type { History } from '../history.ts';
import type { Act } from './acts/act.ts';
import { allActs } from './acts/all.ts';
import { earn } from './acts/selling.ts';
import { configure } from './acts/webhooks.ts';
import { approvedBy } from './approver.ts';
import { type Client, clientOf, type Line } from './client.ts';
import { closeBooks } from './close-books.ts';
import { fixed } from './credentials.ts';
import {
  inEach,
  type Login,
  type Merchant,
  openMerchant,
  openOperator,
  operatorSession,
  requireDone,
} from './merchants.ts';
import { type Pace, paceOf } from './pace.ts';
import { deal, type Player, playerOf } from './player.ts';
import type { Character } from './shop-manners.ts';
import type { Shops } from './shops.ts';

export interface Company {
  start(): void;
  /**
   * Waits until the running acts have ended, and then makes all merchants' servers answer 200. Operators then
   * replay the dead letters and decide the open withdrawals.
   */
  stop(): Promise<void>;
  /** The first operator, an ADMIN. */
  readonly admin: Client;
  /** How often each act was completed, by its name. */
  readonly counts: ReadonlyMap<string, number>;
  /** How often each act ended early, by its name. */
  readonly aborted: ReadonlyMap<string, number>;
}

interface CompanyOptions {
  baseUrl: string;
  operator: Login;
  bank: Bank;
  shops: Shops;
  history: History;
  dice: Dice;
  /** The approximate number of calls per second of all clients together. */
  callsPerSecond?: number | undefined;
  clientsPerMerchant?: number;
  /** The acts that clients play. Without this, all acts are played. */
  acts?: readonly Act[] | undefined;
}

const MERCHANTS = 4;
/** Cents, enough for withdrawals that need two approvals. */
const STARTING_BALANCE = 10_000_000;
/**
 * A client closes an idle connection earlier than the gateway does. Otherwise a client could send a request
 * on a connection that the gateway is just closing.
 */
const IDLE_CONNECTION_MS = 3_000;

/** Creates operators, merchants with a balance, and webhooks, before the first fault begins. */
export async function raiseCurtain(options: CompanyOptions): Promise<Company> {
  const { history, callsPerSecond = 30 } = options;
  const idle = { keepAliveTimeout: IDLE_CONNECTION_MS, keepAliveMaxTimeout: IDLE_CONNECTION_MS };
  const pool = new Pool(options.baseUrl, { ...idle, connections: null });
  const line = { pool, history, pace: paceOf(callsPerSecond) };
  const operators = await openOperators(line, options.operator);
  const numbers = Array.from({ length: MERCHANTS }, (_, index) => index + 1);
  const merchants = await Promise.all(numbers.map((number) => openMerchant(line, operators[0], number)));
  await Promise.all(merchants.map((merchant) => furnish(merchant, options)));
  return companyOf({ line, players: playersOf({ merchants, operators, ...options }), operators, options });
}

/** Creates a FINANCE, and an ADMIN who approves what the first operator and the FINANCE propose. */
async function openOperators(line: Line, login: Login): Promise<readonly [Client, Client]> {
  const nobody = clientOf(line, 'operator 1', fixed());
  const first = nobody.as(await operatorSession(nobody, login));
  const second = await openOperator(line, first, { name: 'operator 2', role: 'FINANCE' });
  const approver = await openOperator(line, first, { name: 'operator 3', role: 'ADMIN' });
  return [approvedBy(approver.client, first), approvedBy(approver.client, second.client)];
}

const secondShops: readonly Character[] = ['moody', 'hanging', 'gone', 'gigabyte'];

/**
 * Gives a merchant a balance and two webhooks in each environment. The first webhook has a healthy server,
 * and no act changes this webhook. The server of the second webhook fails in some way.
 */
async function furnish(merchant: Merchant, { bank, shops, dice }: CompanyOptions): Promise<void> {
  const own = dice.named(merchant.name);
  await inEach(async (environment) => {
    const api = merchant.api[environment];
    const dice = own.named(environment);
    const shop = { merchant, api, shops };
    const named = (name: string) => `${merchant.name} ${environment} ${name}`;
    const first = await configure({ ...shop, character: 'prompt', intent: named('webhook') });
    merchant.untouched.add(String(first.id));
    await configure({ ...shop, character: dice.pick(secondShops), intent: named('second webhook') });
    // The payment is retried, because shortly after the approval a replica may still treat the merchant as
    // pending.
    await eventually(() => earn({ api, bank, dice }, STARTING_BALANCE));
    await eventually(async () => {
      const { totalEarned } = requireDone(await api.read('read-balance', '/v1/balance'));
      if (Number(totalEarned) < STARTING_BALANCE) throw new Error('not credited yet');
    });
  });
}

interface Cast extends Pick<CompanyOptions, 'bank' | 'shops' | 'dice' | 'clientsPerMerchant' | 'acts'> {
  merchants: readonly Merchant[];
  operators: readonly [Client, Client];
}

/** Creates several clients for each merchant and distributes all acts among them. */
export function playersOf(cast: Cast): Player[] {
  const { merchants, dice, clientsPerMerchant = 3, acts = allActs, ...others } = cast;
  const hands = deal(acts, merchants.length * clientsPerMerchant, dice.named('hands'));
  return hands.flatMap((hand, index) => {
    const [merchant, stranger] = [0, 1].map((next) => merchants[(index + next) % merchants.length]);
    if (!merchant || !stranger) return [];
    const context = { merchant, stranger, ...others };
    return [playerOf({ context, dice: dice.named(`client ${index + 1}`), hand, acts })];
  });
}

interface CompanyMembers {
  line: Line;
  players: readonly Player[];
  operators: readonly [Client, Client];
  options: Pick<CompanyOptions, 'shops'>;
}

function companyOf({ line, players, operators, options: { shops } }: CompanyMembers): Company {
  const counts = new Map<string, number>();
  const aborted = new Map<string, number>();
  let isStopping = false;
  let playing: Promise<void>[] = [];

  async function playOn(player: Player, pace: Pace): Promise<void> {
    while (!isStopping) {
      await pace.wait();
      const { name, isWhole } = await player.play();
      const those = isWhole ? counts : aborted;
      those.set(name, (those.get(name) ?? 0) + 1);
    }
  }

  return {
    ...{ counts, aborted, admin: operators[0] },
    start() {
      playing = players.map((player) => playOn(player, line.pace));
      // An error must not end the process here, because `stop` reports it.
      for (const each of playing) each.catch(() => undefined);
    },
    async stop() {
      isStopping = true;
      try {
        await Promise.all(playing);
        shops.mend();
        await closeBooks(operators);
      } finally {
        await line.pool.destroy();
      }
    },
  };
}
