import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';

export interface Settings {
  baseUrl: string;
  apiKey: string;
  /** Production. */
  isLive: boolean;
  /** Offers the tools that change something, too. */
  mayWrite: boolean;
}

/** What was asked for can't be had; the message says what to do, and holds no secret. */
export class WrongUse extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

const USAGE = `plataforma-mcp [--write] [--live] [--profile NAME]

An MCP server on stdin and stdout. It reads; nothing else, unless it is started with

  --write         tools that change something, too, in the sandbox
  --live          production. With --write, each change takes a confirmation: of the person, where
                  the client can ask, without which no money is sent away
  --profile NAME  of the command line's log-in (plataforma login); "default" when left out

Address and key come from PLATAFORMA_URL and PLATAFORMA_API_KEY, both of them, or else both from that log-in; a key is
never an argument.`;

const options = {
  live: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  profile: { type: 'string', default: 'default' },
} as const;

export function readSettings(args: readonly string[], env: Environment): Settings {
  if (args.some((arg) => /sk_(live|sandbox)_/.test(arg)))
    throw new WrongUse(
      'a key is never an argument, where every user of this machine can read it: set PLATAFORMA_API_KEY',
    );
  const { live: isLive, write: mayWrite, profile: name } = flagsIn(args);
  const profile = profileOf(name, env);
  const { PLATAFORMA_API_KEY: given, PLATAFORMA_URL: address } = env;
  // A key goes nowhere but where it was given for.
  const isGiven = Boolean(given || address);
  const baseUrl = isGiven ? address : profile.baseUrl;
  const apiKey = isGiven ? given : profile[isLive ? 'liveKey' : 'sandboxKey'];
  if (!baseUrl) throw new WrongUse('no address: set PLATAFORMA_URL, or log in with `plataforma login`');
  if (!apiKey) throw new WrongUse(`no ${isLive ? 'production' : 'sandbox'} key: set PLATAFORMA_API_KEY`);
  demandEnvironment(apiKey, isLive);
  return { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey, isLive, mayWrite };
}

function demandEnvironment(key: string, isLive: boolean): void {
  const isLiveKey = key.startsWith('sk_live_');
  if (isLiveKey && !isLive)
    throw new WrongUse(
      'this is a key of production: start with --live to let an assistant read production, or give it a sandbox key',
    );
  if (!isLiveKey && isLive) throw new WrongUse('--live needs a key of production (sk_live_…)');
}

function flagsIn(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new WrongUse(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

const profileFile = z.object({
  baseUrl: z.string().optional(),
  sandboxKey: z.string().optional(),
  liveKey: z.string().optional(),
});

/** As `plataforma login` has written it down; empty where nobody has logged in. */
function profileOf(name: string, env: Environment): z.infer<typeof profileFile> {
  if (!/^[\w-]{1,80}$/.test(name)) throw new WrongUse(`--profile: ${name}`);
  const folder = env.PLATAFORMA_HOME || join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'plataforma');
  try {
    return profileFile.parse(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')));
  } catch {
    return {};
  }
}
