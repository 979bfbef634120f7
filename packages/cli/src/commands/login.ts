import { hostname } from 'node:os';
import { ApiError, createClient } from '@plataforma/sdk/client';
import { apiAddress, requireApi } from '../addresses.ts';
import { type Command, type Context, textOf } from '../context.ts';
import { changeProfile, forgetKeys, isLiveKey, profileFile, storedProfile } from '../profiles.ts';
import { WrongUse } from '../wrong-use.ts';

const DAYS = 90;
const DAY_MS = 86_400_000;
const DEFAULT_URL = 'http://127.0.0.1:8080';
const KEY = /^sk_(?:sandbox|live)_\w{20,}$/;
const scopes = [
  ...(['charges:write', 'charges:read', 'wallet:read', 'withdrawals:write'] as const),
  ...(['refunds:write', 'disputes:write', 'webhooks:write', 'events:read'] as const),
];

/** Logs in with e-mail and password, and stores only a sandbox key, neither the password nor the session. */
export const login: Command = {
  options: { url: { type: 'string' }, email: { type: 'string' }, key: { type: 'boolean' } },
  async run(context) {
    const { words, terminal, profile } = context;
    const input = textOf(context, 'url') ?? (await terminal.ask(words.askUrl(DEFAULT_URL)));
    const baseUrl = apiAddress(input.trim() || DEFAULT_URL, words);
    requireProfileOf(baseUrl, context);
    await requireApi(baseUrl, words);
    if (context.values.key) return keepKey(context, baseUrl);
    const email = textOf(context, 'email') ?? (await terminal.ask(words.askEmail)).trim();
    const password = await terminal.askSecret(words.askPassword);
    await logIn(context, { baseUrl, email, password });
    terminal.info(words.loggedIn(baseUrl, profileFile(profile), DAYS));
  },
};

/**
 * Throws WrongUse if the profile belongs to another installation of the platform, so that the profile's keys
 * are never sent to a different server.
 */
export function requireProfileOf(baseUrl: string, { profile, words }: Context): void {
  const { baseUrl: storedUrl } = storedProfile(profile);
  if (storedUrl && storedUrl !== baseUrl) throw new WrongUse(words.profileTaken(profile, storedUrl));
}

/** Stores an existing key, such as a production key from the dashboard. */
async function keepKey({ words, terminal, profile }: Context, baseUrl: string): Promise<void> {
  const key = (await terminal.askSecret(words.askKey)).trim();
  if (!KEY.test(key)) throw new WrongUse(words.noKey);
  const call = createClient({ baseUrl, headers: { 'x-api-key': key } });
  await call('GET /v1/events', { query: { limit: 1 } });
  changeProfile(profile, {
    baseUrl,
    ...(isLiveKey(key) ? { liveKey: key } : { sandboxKey: key, email: undefined }),
  });
  terminal.info(words.keySaved(baseUrl, profileFile(profile)));
}

interface Account {
  baseUrl: string;
  email: string;
  password: string;
}

/** Creates and stores a new sandbox key, and then revokes the sandbox key that the profile had before. */
async function logIn({ profile }: Context, { baseUrl, email, password }: Account): Promise<void> {
  const anyone = createClient({ baseUrl });
  const { accessToken } = await anyone('POST /v1/auth/login', { body: { email, password } });
  const call = createClient({ baseUrl, headers: { authorization: `Bearer ${accessToken}` } });
  const expiresAt = new Date(Date.now() + DAYS * DAY_MS).toISOString();
  const body = { name: `CLI on ${hostname()}`, environment: 'sandbox', scopes, expiresAt } as const;
  const before = storedProfile(profile);
  const { id, key } = await call('POST /v1/api-keys', { body });
  changeProfile(profile, { baseUrl, sandboxKey: key, keyId: id, keyEndsAt: expiresAt, email });
  if (before.keyId) {
    await call('DELETE /v1/api-keys/:id', { params: { id: before.keyId } }).catch(ofAnotherAccount);
  }
  await call('POST /v1/auth/logout');
}

/**
 * Logs in, unless the profile already has a working key of the account. A new log-in would revoke that key,
 * which another running command may use.
 */
export async function ensureLogIn(context: Context, account: Account): Promise<void> {
  const { sandboxKey, email } = storedProfile(context.profile);
  if (sandboxKey && email === account.email && (await isAccepted(sandboxKey, account.baseUrl))) return;
  await logIn(context, account);
}

async function isAccepted(key: string, baseUrl: string): Promise<boolean> {
  const call = createClient({ baseUrl, headers: { 'x-api-key': key } });
  try {
    await call('GET /v1/events', { query: { limit: 1 } });
    return true;
  } catch (error) {
    if (error instanceof ApiError && [401, 403].includes(error.status)) return false;
    throw error;
  }
}

function ofAnotherAccount(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}

export const logout: Command = {
  async run({ words, terminal, profile }) {
    terminal.info(forgetKeys(profile) ? words.loggedOut : words.wasLoggedOut);
  },
};
