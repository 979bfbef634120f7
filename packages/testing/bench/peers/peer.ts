import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A server that a benchmark calls, as a process of its own: it takes no time of the load's. */
export interface PeerProcess {
  url: string;
  stop(): Promise<void>;
}

/** Starts `bench/peers/<name>.ts`, which says its address by `announceAddress`. */
export async function startPeer(name: string, ...args: string[]): Promise<PeerProcess> {
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const child = fork(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [url] = await Promise.race([once(child, 'message'), failOnExit(child, name)]);
  return {
    url: String(url),
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function failOnExit(child: ChildProcess, name: string): Promise<never> {
  await once(child, 'exit');
  throw new Error(`the ${name} ended before it was ready`);
}
