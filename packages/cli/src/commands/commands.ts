import type { Command } from '../context.ts';
import { calls, deliveries, get } from './call.ts';
import { completion } from './completion.ts';
import { dev } from './dev.ts';
import { exportFile } from './export.ts';
import { listen } from './listen.ts';
import { login, logout } from './login.ts';
import { logs } from './logs.ts';
import { mcp } from './mcp.ts';
import { open } from './open.ts';
import { trigger } from './trigger.ts';

const balance = calls.get('wallet balance');

/** The commands that do more than call one endpoint, in the order in which the help lists them. */
export const ownCommands: Record<string, Command> = {
  login,
  logout,
  listen,
  trigger,
  get,
  ...(balance && { balance }),
  logs,
  'webhooks deliveries': deliveries,
  open,
  export: exportFile,
  completion,
  mcp,
  dev,
};

export const commands: ReadonlyMap<string, Command> = new Map([...calls, ...Object.entries(ownCommands)]);
const MOST_WORDS = 3;

/** Finds the command that the arguments begin with, and returns it with the arguments that follow it. */
export function commandIn(
  args: readonly string[],
): { name: string; command: Command; rest: string[] } | undefined {
  for (let words = MOST_WORDS; words > 0; words -= 1) {
    const name = args.slice(0, words).join(' ');
    const command = commands.get(name);
    if (command && args.length >= words) return { name, command, rest: args.slice(words) };
  }
  return undefined;
}
