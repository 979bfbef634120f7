import { api } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { type AddressOf, readBody, STRANGERS_LIMIT_BYTES } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { Whence } from '../credentials.ts';
import { findOperatorToLogIn } from '../store/operators.ts';
import {
  acquaintances,
  type Counted,
  type NetworkCounter,
  networkCounter,
  networkNames,
  type RateCounter,
  rateCounter,
} from '../store/rate-counters.ts';
import { findUser } from '../store/users.ts';
import type { Account, Tokens } from '../tokens.ts';
import { refusalOf } from './limits.ts';

export interface LoginLimits {
  database: Database;
  log: Log;
  tokens: Pick<Tokens, 'deviceOf'>;
  addressOf: AddressOf;
  /**
   * The number of failed attempts that one device or network may make in 15 minutes, with any e-mail
   * addresses.
   */
  perAddress: number;
  /**
   * The number of failed attempts that one device or network may make with one e-mail address in 15 minutes.
   */
  perAccount: number;
}

const WINDOW_SECONDS = 15 * 60;
const RECOGNIZED_SECONDS = 30 * 24 * 60 * 60;
/**
 * How many unknown addresses may use up all their attempts at one account. After that, all unknown addresses
 * are refused at this account.
 */
const STRANGERS = 10;
/**
 * The number of log-ins that are allowed for each allowed failure. Successful log-ins are limited too,
 * because each costs a password hash and a session.
 */
const FOR_EACH_FAILURE = 10;

/**
 * Limits registrations and log-ins of merchants, on all replicas together, before a password is hashed. The
 * counters are in the database of the accounts, which every log-in needs anyway.
 */
export function limitLogins(app: Express, limits: LoginLimits): void {
  app.post(api.register.path, addressGuard(limits, { name: 'register', countsSuccess: true }));
  guardLogin(app, limits, MERCHANTS);
}

/**
 * Counts only the refused refresh tokens of a network. Valid tokens need no limit, because a token has 256
 * random bits and cannot be guessed.
 */
export function refreshRefusals(limits: LoginLimits): (req: Request) => (error: unknown) => Promise<never> {
  const counter = networksOf(limits.database, 'refresh address', limits.perAddress);
  return (req) => async (error) => {
    if (error instanceof Refusal) await take(responseOf(req), counter, networkNames(limits.addressOf(req)));
    throw error;
  };
}

/** Limits log-ins and password changes of operators. Their counts are separate from those of merchants. */
export function limitOperatorLogins(app: Express, limits: LoginLimits): void {
  guardLogin(app, limits, OPERATORS);
  const { path } = api.changeOperatorPassword;
  app.post(path, addressGuard(limits, { name: OPERATORS.name, countsSuccess: false }));
}

/**
 * Counts an operator's password changes together with log-ins. The endpoint for password changes then gives
 * an attacker no additional guesses.
 */
export function operatorTries(limits: LoginLimits): CountTry {
  return accountTries(limits, OPERATORS);
}

/**
 * Returns a function that counts attempts to confirm the current password. Each session has its own count, so
 * that strangers cannot use up the attempts of the account's owner.
 */
export function merchantTries(limits: LoginLimits) {
  const countNetwork = addressTries(ofAll(limits), { name: `${MERCHANTS.name} all`, countsSuccess: true });
  const countAccount = accountTries(limits, MERCHANTS);
  return async (req: Request, { email, sessionId }: { email: string; sessionId: string }): Promise<void> => {
    whences.set(req, { isRecognized: true, device: sessionId });
    await countNetwork(req);
    await countAccount(req, email);
  };
}

function ofAll(limits: LoginLimits): LoginLimits {
  return { ...limits, perAddress: limits.perAddress * FOR_EACH_FAILURE };
}

interface LoginRoute {
  name: string;
  realm: Account['realm'];
}

const MERCHANTS: LoginRoute = { name: api.logIn.path, realm: 'merchant' };
const OPERATORS: LoginRoute = { name: api.logInOperator.path, realm: 'operator' };

function guardLogin(app: Express, limits: LoginLimits, route: LoginRoute): void {
  const { name } = route;
  // The body is read before the limits, because it names the account for which a device token must be valid.
  app.post(name, readBody(STRANGERS_LIMIT_BYTES), async (req, _res, next) => {
    await recordDevice(limits, route, req);
    next();
  });
  app.post(name, addressGuard(ofAll(limits), { name: `${name} all`, countsSuccess: true }));
  app.post(name, addressGuard(limits, { name, countsSuccess: false }));
  app.post(name, accountGuard(limits, route));
}

const whences = new WeakMap<Request, Whence>();

/**
 * Returns the source that the log-in limits have recorded for this request. If they have recorded none yet,
 * returns an unrecognized source without a device.
 */
export function whenceOf(req: Request): Whence {
  return whences.get(req) ?? { isRecognized: false, device: null };
}

async function recordDevice(limits: LoginLimits, { realm }: LoginRoute, req: Request): Promise<void> {
  const email = emailIn(req);
  const token = req.get('x-device-token');
  const { database, tokens } = limits;
  if (email === undefined || token === undefined) return;
  const account =
    realm === 'merchant'
      ? await findUser(database, 'email', email)
      : await findOperatorToLogIn(database, 'email', email);
  const passwordVersion = account?.passwordVersion ?? 0;
  const device = tokens.deviceOf(token, { realm, email, passwordVersion });
  whences.set(req, { isRecognized: device !== null, device });
}

/**
 * Returns the name under which failed attempts are counted: the known device, or else the network. Strangers
 * in the device's network then cannot lock the device out.
 */
function triedFrom({ addressOf }: LoginLimits, req: Request): Counted {
  const { device } = whenceOf(req);
  return device ? [`device ${device}`] : networkNames(addressOf(req));
}

function emailIn(req: Request): string | undefined {
  return api.logIn.body.safeParse(req.body).data?.email;
}

/**
 * Returns the name of a network's count of log-ins. All known devices of a network share one count, because
 * one person can register many devices. All other callers of the network share a second count.
 */
function networkClassOf({ addressOf }: LoginLimits, req: Request): Counted {
  return networkNames(addressOf(req), whenceOf(req).device ? 'devices ' : '');
}

interface AddressCount {
  name: string;
  countsSuccess: boolean;
}

function addressGuard(limits: LoginLimits, of: AddressCount): RequestHandler {
  const countTry = addressTries(limits, of);
  return async (req, _res, next) => {
    await countTry(req);
    next();
  };
}

function addressTries(limits: LoginLimits, of: AddressCount): (req: Request) => Promise<void> {
  const { database, log, perAddress } = limits;
  const counter = networksOf(database, `${of.name} address`, perAddress);
  return async (req) => {
    const res = responseOf(req);
    const address = of.countsSuccess ? networkClassOf(limits, req) : triedFrom(limits, req);
    await take(res, counter, address);
    unlessRefused(res, log, async (isSuccess) => {
      if (!isSuccess || !of.countsSuccess) await counter.giveBack(address);
    });
  };
}

function accountGuard(limits: LoginLimits, route: LoginRoute): RequestHandler {
  const countTry = accountTries(limits, route);
  return async (req, _res, next) => {
    // A body without an e-mail address is not counted. The endpoint refuses it before a hash is computed.
    const email = emailIn(req);
    if (email !== undefined) await countTry(req, email);
    next();
  };
}

/** Counts an attempt at the account with this e-mail address. Throws RATE_LIMITED above the limit. */
type CountTry = (req: Request, email: string) => Promise<void>;

/**
 * Limits the failed attempts of each device or network at an e-mail address, and all attempts by a higher
 * limit. A third limit applies to all unrecognised callers together and never locks out recognised ones.
 */
function accountTries(limits: LoginLimits, { name }: LoginRoute): CountTry {
  const { database, log, perAccount } = limits;
  const all = counterOf(database, `${name} all pair`, perAccount * FOR_EACH_FAILURE);
  const pairs = counterOf(database, `${name} pair`, perAccount);
  const emails = counterOf(database, `${name} e-mail`, perAccount * STRANGERS);
  const recognized = acquaintances(database, { name: `${name} known`, seconds: RECOGNIZED_SECONDS });
  return async (req, email) => {
    const res = responseOf(req);
    const [name] = triedFrom(limits, req);
    const pair = `${name} ${email}`;
    await take(res, all, pair);
    await take(res, pairs, pair);
    const { device } = whenceOf(req);
    const isRecognized = device !== null || (await recognized.has(pair));
    whences.set(req, { isRecognized: isRecognized, device });
    if (!isRecognized) await take(res, emails, email);
    unlessRefused(res, log, async (isSuccess) => {
      if (isSuccess) {
        await pairs.forget(pair);
        await recognized.add(pair);
      } else {
        await all.giveBack(pair);
        await pairs.giveBack(pair);
      }
      if (!isRecognized) await emails.giveBack(email);
    });
  };
}

function responseOf({ res }: Request): Response {
  if (!res) throw new Error('the attempt has no request that waits');
  return res;
}

function counterOf(database: Database, name: string, limit: number): RateCounter {
  return rateCounter(database, { name, limit, windowSeconds: WINDOW_SECONDS });
}

function networksOf(database: Database, name: string, limit: number): NetworkCounter {
  return networkCounter(database, { name, limit, windowSeconds: WINDOW_SECONDS });
}

interface Counter<Caller> {
  limit: number;
  take: (caller: Caller) => Promise<unknown>;
}

async function take<Caller>(res: Response, counter: Counter<Caller>, whom: Caller): Promise<void> {
  try {
    await counter.take(whom);
  } catch (exceeded) {
    throw refusalOf(res, counter.limit, exceeded);
  }
}

/**
 * Calls `onOutcome` after a success or a 5xx response. After a 5xx response no password was compared, so the
 * attempt is not a failure.
 */
function unlessRefused(res: Response, log: Log, onOutcome: (isSuccess: boolean) => Promise<void>): void {
  res.once('finish', () => {
    const isSuccess = res.statusCode < 300;
    if (!isSuccess && res.statusCode < 500) return;
    onOutcome(isSuccess).catch((error) => log.warn({ err: error }, 'attempt still counted as a failure'));
  });
}
