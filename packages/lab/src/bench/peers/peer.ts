import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Owner } from '../run.ts';

/**
 * A server in a process of its own, so that it takes no processor time from the process that generates the
 * load.
 */
export interface Peer {
  url: string;
}

/**
 * Starts `bench/peers/<name>.ts`, which reports its address through `announceAddress`. The process ends with
 * its owner.
 */
export async function startPeer({ defer }: Owner, name: string, ...args: string[]): Promise<Peer> {
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const child = fork(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  defer(() => {
    child.kill('SIGTERM');
    return ended;
  });
  const failOnEnd = ended.then(() => {
    throw new Error(`the ${name} ended before it was ready`);
  });
  failOnEnd.catch(() => {});
  const [url] = await Promise.race([once(child, 'message'), failOnEnd]);
  return { url: String(url) };
}
