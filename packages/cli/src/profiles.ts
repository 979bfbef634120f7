import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { decoded } from './text-file.ts';
import { WrongUse } from './wrong-use.ts';

/**
 * The stored log-in. Its API keys end when they expire or when a user revokes them in the dashboard. It
 * contains no password and no session.
 */
export interface Profile {
  baseUrl?: string;
  sandboxKey?: string;
  /** The id of the sandbox key, if `plataforma login` created the key. */
  keyId?: string;
  keyEndsAt?: string;
  email?: string | undefined;
  liveKey?: string;
  /**
   * The secret with which `listen` signs forwarded events. It never changes, so a shop is configured with it
   * only once.
   */
  listenSecret?: string;
}

const NAME = /^[\w-]{1,80}$/;
const { env: own } = process;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the settings from the environment variables if any is set, or else the stored profile. */
export function readProfile(name: string, env: Environment = own): Profile {
  const stored = storedProfile(name, env);
  const { PLATAFORMA_URL: baseUrl, PLATAFORMA_API_KEY: key } = env;
  if (!isFromEnvironment(env) || (!key && baseUrl === stored.baseUrl)) return stored;
  // Do not mix in the stored profile, so that a stored key is never sent to the address in the environment.
  return {
    ...(baseUrl && { baseUrl }),
    ...(key && (isLiveKey(key) ? { liveKey: key } : { sandboxKey: key })),
  };
}

/**
 * Returns true if environment variables contain the settings, as in scripts and in containers without a home
 * folder.
 */
export function isFromEnvironment(env: Environment = own): boolean {
  return Boolean(env.PLATAFORMA_URL || env.PLATAFORMA_API_KEY);
}

/** Reads the profile from its file and ignores the environment variables with address and key. */
export function storedProfile(name: string, env: Environment = own): Profile {
  return readJson(profileFile(name, env));
}

export function isLiveKey(key: string): boolean {
  return key.startsWith('sk_live_');
}

/** Replaces the given fields in the profile's file and keeps the other fields. */
export function changeProfile(name: string, change: Profile): void {
  const file = profileFile(name);
  writePrivately(file, { ...readJson(file), ...change });
}

/**
 * Deletes the stored log-in, and returns true if it contained a key. Keeps the secret of `listen`, because
 * shops are configured with it.
 */
export function forgetKeys(name: string): boolean {
  const file = profileFile(name);
  const { sandboxKey, liveKey, listenSecret }: Profile = readJson(file);
  rmSync(file, { force: true });
  if (listenSecret) writePrivately(file, { listenSecret });
  return sandboxKey !== undefined || liveKey !== undefined;
}

/**
 * Returns the secret with which `listen` signs events, and creates it at the first call. Its format is valid
 * for both kinds of webhook signature.
 */
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

/**
 * Returns the folder in PLATAFORMA_HOME if the variable is set, as in a clone of the repository. Otherwise
 * returns the usual folder.
 */
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

/** Replaces the file in one step, so that no reader sees a part of it. Only the file's owner may read it. */
export function writePrivately(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, file);
}
