import { parseArgs } from 'node:util';
import { isLiveKey, readProfile } from '@plataforma/cli/profiles';
import { WrongUse } from '@plataforma/cli/wrong-use';

export interface Settings {
  baseUrl: string;
  apiKey: string;
  /** True if the server uses production, and false if it uses the sandbox. */
  isLive: boolean;
  /** True if the server also offers the tools that change data. */
  mayWrite: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

const USAGE = `plataforma-mcp [--write] [--live] [--profile NAME]

An MCP server on stdin and stdout. Without options, its tools only read, in the sandbox.

  --write         adds the tools that change data
  --live          uses production. With --write, each change needs a confirmation, which the
                  person gives if the client can ask. If it can't, no tool sends money away.
  --profile NAME  uses a log-in of the command line (plataforma login); "default" by default

Address and key both come from PLATAFORMA_URL and PLATAFORMA_API_KEY, or both from that log-in.
A key is never an argument.`;

const options = {
  live: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  profile: { type: 'string', default: 'default' },
} as const;

export function readSettings(args: readonly string[], env: Environment): Settings {
  if (args.some((arg) => /sk_(live|sandbox)_/.test(arg)))
    throw new WrongUse(
      'a key is never an argument, because every user of this machine could read it: set PLATAFORMA_API_KEY',
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
      'this is a key of production: start with --live to let an assistant read production, or set a sandbox key',
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
