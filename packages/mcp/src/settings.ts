import { parseArgs } from 'node:util';
import { isLiveKey, readProfile } from '@plataforma/cli/profiles';
import { WrongUse } from '@plataforma/cli/wrong-use';

export interface Settings {
  baseUrl: string;
  apiKey: string;
  /** Production. */
  isLive: boolean;
  /** Also offers the tools that change data. */
  mayWrite: boolean;
}

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
  const { baseUrl, sandboxKey, liveKey } = readProfile(name, env);
  const apiKey = env.PLATAFORMA_API_KEY || (isLive ? liveKey : sandboxKey);
  if (!baseUrl) throw new WrongUse('no address: set PLATAFORMA_URL, or log in with `plataforma login`');
  if (!apiKey) throw new WrongUse(`no ${isLive ? 'production' : 'sandbox'} key: set PLATAFORMA_API_KEY`);
  requireEnvironment(apiKey, isLive);
  return { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey, isLive, mayWrite };
}

function requireEnvironment(key: string, isLive: boolean): void {
  if (isLiveKey(key) && !isLive)
    throw new WrongUse(
      'this is a key of production: start with --live to let an assistant read production, or give it a sandbox key',
    );
  if (!isLiveKey(key) && isLive) throw new WrongUse('--live needs a key of production (sk_live_…)');
}

function flagsIn(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new WrongUse(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}
