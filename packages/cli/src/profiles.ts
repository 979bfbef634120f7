import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { decoded } from './text-file.ts';
import { WrongUse } from './wrong-use.ts';

/** The stored log-in: keys, which expire or are revoked in the dashboard, but no password and no session. */
export interface Profile {
  baseUrl?: string;
  sandboxKey?: string;
  /** The sandbox key's id, if this program made it. */
  keyId?: string;
  keyEndsAt?: string;
  email?: string | undefined;
  liveKey?: string;
  /** Signs forwarded events. It never changes, so that a shop needs it once. */
  listenSecret?: string;
}

const NAME = /^[\w-]{1,80}$/;
const { env: own } = process;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the profile from the environment, or else from the log-in. */
export function readProfile(name: string, env: Environment = own): Profile {
  const stored = storedProfile(name, env);
  const { PLATAFORMA_URL: baseUrl, PLATAFORMA_API_KEY: key } = env;
  if (!isFromEnvironment(env) || (!key && baseUrl === stored.baseUrl)) return stored;
  // The stored log-in adds nothing to these settings, so that a key goes only where the environment says.
  return {
    ...(baseUrl && { baseUrl }),
    ...(key && (isLiveKey(key) ? { liveKey: key } : { sandboxKey: key })),
  };
}

/** Returns whether the environment sets the profile, as for scripts and containers without a home folder. */
export function isFromEnvironment(env: Environment = own): boolean {
  return Boolean(env.PLATAFORMA_URL || env.PLATAFORMA_API_KEY);
}

/** Reads the profile from its file only. */
export function storedProfile(name: string, env: Environment = own): Profile {
  return readJson(profileFile(name, env));
}

export function isLiveKey(key: string): boolean {
  return key.startsWith('sk_live_');
}

/** Changes these fields of the profile, and keeps the others. */
export function changeProfile(name: string, change: Profile): void {
  const file = profileFile(name);
  writePrivately(file, { ...readJson(file), ...change });
}

/**
 * Deletes the keys, and returns whether any existed. The secret of `listen` stays, because shops are
 * configured with it.
 */
export function forgetKeys(name: string): boolean {
  const file = profileFile(name);
  const { sandboxKey, liveKey, listenSecret }: Profile = readJson(file);
  rmSync(file, { force: true });
  if (listenSecret) writePrivately(file, { listenSecret });
  return sandboxKey !== undefined || liveKey !== undefined;
}

/** Returns the secret of `listen`, which fits both kinds of signature. */
export function listenSecretOf(name: string): string {
  const existing = storedProfile(name).listenSecret;
  if (existing) return existing;
  const listenSecret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
  changeProfile(name, { listenSecret });
  return listenSecret;
}

export function stateFile(name: string): string {
  const usual = own.XDG_STATE_HOME || join(homedir(), '.local', 'state');
  return join(folder(usual, own), `${safe(name)}.listen.json`);
}

export function profileFile(name: string, env: Environment = own): string {
  return join(folder(env.XDG_CONFIG_HOME || join(homedir(), '.config'), env), `${safe(name)}.json`);
}

/** Returns PLATAFORMA_HOME if it is set, as in a clone, else the usual folder. */
function folder(usual: string, env: Environment): string {
  return env.PLATAFORMA_HOME || join(usual, 'plataforma');
}

function safe(name: string): string {
  if (NAME.test(name)) return name;
  throw new WrongUse(`--profile: ${name}`);
}

export function readJson(file: string): object {
  try {
    const value: unknown = JSON.parse(decoded(readFileSync(file)));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Writes the file as a whole, readable by its owner only. */
export function writePrivately(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, file);
}
