import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Owner } from '../run.ts';

/** A server for a benchmark, in its own process, so that it takes no time from the load generator. */
export interface Peer {
  url: string;
}

/**
 * Starts `bench/peers/<name>.ts`, which sends its address by `announceAddress`. The peer ends with its owner.
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
