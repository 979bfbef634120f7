import { type Database, type Log, readBody } from '@plataforma/chassis';
import { api } from '@plataforma/contracts';
import type { Express, Request, RequestHandler, Response } from 'express';
import { networkOf } from '../domain/address-list.ts';
import { acquaintances, type RateCounter, rateCounter } from '../store/rate-counters.ts';
import type { AddressOf } from './client-address.ts';
import { refusalOf } from './limits.ts';

export interface LoginLimits {
  database: Database;
  log: Log;
  addressOf: AddressOf;
  /** In 15 minutes: tries of one address that failed, and of one address at one e-mail. */
  perAddress: number;
  perAccount: number;
}

const WINDOW_SECONDS = 15 * 60;
const KNOWN_FOR_SECONDS = 30 * 24 * 60 * 60;
/** How many addresses that have not logged in to an account before may use up their tries at it. */
const STRANGERS = 10;
/** How many log-ins there may be for each that may fail: the right password costs a hash, too, and a session. */
const FOR_EACH_FAILURE = 10;

/**
 * Limits who tries to get in as a merchant, on all replicas together and before a password is hashed. When the
 * counters can’t be asked nobody gets in: the accounts are in the same database.
 */
export function limitLogins(app: Express, limits: LoginLimits): void {
  app.post(api.register.path, addressGuard(limits, { name: 'register', countsSuccess: true }));
  app.post(api.refresh.path, addressGuard(limits, { name: 'refresh', countsSuccess: false }));
  guardLogin(app, limits, api.logIn.path);
}

/** The same for operators, whose counts are their own. */
export function limitOperatorLogins(app: Express, limits: LoginLimits): void {
  const name = api.logInOperator.path;
  guardLogin(app, limits, name);
  app.post(api.changeOperatorPassword.path, addressGuard(limits, { name, countsSuccess: false }));
}

/** Counts an operator’s own password among the log-ins: it can be guessed at either door, and not twice as often. */
export function operatorTries(limits: LoginLimits): CountTry {
  return accountTries(limits, api.logInOperator.path);
}

function guardLogin(app: Express, limits: LoginLimits, path: string): void {
  const perAddress = limits.perAddress * FOR_EACH_FAILURE;
  app.post(path, addressGuard({ ...limits, perAddress }, { name: `${path} all`, countsSuccess: true }));
  app.post(path, addressGuard(limits, { name: path, countsSuccess: false }));
  app.post(path, readBody(), accountGuard(limits, path));
}

function addressGuard(limits: LoginLimits, of: { name: string; countsSuccess: boolean }): RequestHandler {
  const { database, log, addressOf, perAddress } = limits;
  const counter = counterOf(database, `${of.name} address`, perAddress);
  return async (req, res, next) => {
    const address = networkOf(addressOf(req));
    await take(res, counter, address);
    unlessRefused(res, log, async (isSuccess) => {
      if (!isSuccess || !of.countsSuccess) await counter.giveBack(address);
    });
    next();
  };
}

function accountGuard(limits: LoginLimits, name: string): RequestHandler {
  const countTry = accountTries(limits, name);
  return async (req, _res, next) => {
    // What is no log-in is refused by the endpoint itself, and costs no hash.
    const email = api.logIn.body.safeParse(req.body).data?.email;
    if (email !== undefined) await countTry(req, email);
    next();
  };
}

/** Counts a try at the account with this e-mail; refuses with RATE_LIMITED. */
type CountTry = (req: Request, email: string) => Promise<void>;

/**
 * One address at one e-mail is limited strictly; a success ends the count, and is itself counted loosely. An e-mail
 * alone is limited loosely, and only for addresses that have not logged in to it of late: a stranger can’t lock its
 * owner out.
 */
function accountTries({ database, log, addressOf, perAccount }: LoginLimits, name: string): CountTry {
  const all = counterOf(database, `${name} all pair`, perAccount * FOR_EACH_FAILURE);
  const pairs = counterOf(database, `${name} pair`, perAccount);
  const emails = counterOf(database, `${name} e-mail`, perAccount * STRANGERS);
  const known = acquaintances(database, { name: `${name} known`, seconds: KNOWN_FOR_SECONDS });
  return async (req, email) => {
    const { res } = req;
    if (!res) throw new Error('a try that nobody waits for an answer to');
    const pair = `${networkOf(addressOf(req))} ${email}`;
    await take(res, all, pair);
    await take(res, pairs, pair);
    const isKnown = await known.has(pair);
    if (!isKnown) await take(res, emails, email);
    unlessRefused(res, log, async (isSuccess) => {
      if (isSuccess) {
        await pairs.forget(pair);
        await known.add(pair);
      } else {
        await all.giveBack(pair);
        await pairs.giveBack(pair);
      }
      if (!isKnown) await emails.giveBack(email);
    });
  };
}

function counterOf(database: Database, name: string, limit: number): RateCounter {
  return rateCounter(database, { name, limit, windowSeconds: WINDOW_SECONDS });
}

async function take(res: Response, counter: RateCounter, whom: string): Promise<void> {
  try {
    await counter.take(whom);
  } catch (exceeded) {
    throw refusalOf(res, counter.limit, exceeded);
  }
}

/** After a success, and after a fault of ours: then nothing was tried, such as when too many passwords wait. */
function unlessRefused(res: Response, log: Log, settle: (isSuccess: boolean) => Promise<void>): void {
  res.once('finish', () => {
    const isSuccess = res.statusCode < 300;
    if (!isSuccess && res.statusCode < 500) return;
    settle(isSuccess).catch((error) => log.warn({ err: error }, 'what was no failure still counts as one'));
  });
}
