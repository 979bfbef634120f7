import type { Database } from '@plataforma/data';
import type { Running } from '@plataforma/service';

interface Shareable extends Running {
  database: Database;
  first: { url: string };
  startReplica(...args: never[]): Promise<Running>;
  stopFirst(running: Running): void;
  checkFakes(): void;
}

declare global {
  /** The world of this worker; `jest-environment.ts` stops it after the last file of a service, and after a failed file. */
  var sharedWorld: { name: string; world: Shareable; stop(): Promise<void> } | undefined;
}

interface Sharing<W> {
  /** Names the kind of world: a service may have several. */
  name: string;
  start(): Promise<W>;
  /** Undoes what files before may have set in the fakes. */
  reset?(world: NoInfer<W>): Promise<unknown>;
}

/**
 * Returns the world that the files of a worker share, or starts it. Its `stop` stops only what the file has started
 * there. A file needs its own world if it has options, or reads or changes rows of merchants that are not its own.
 */
export async function shareWorld<W extends Shareable>({ name, start, reset }: Sharing<W>): Promise<W> {
  const left = globalThis.sharedWorld;
  if (left?.name === name && (await isUntouched(left.world))) {
    const world = left.world as W;
    await reset?.(world);
    return lend(world);
  }
  globalThis.sharedWorld = undefined;
  await left?.stop();
  const world = await start();
  // Its own file has failed already, and the next one must not.
  const ignore = (error: unknown) => void process.stderr.write(`shared world stop failed: ${error}\n`);
  globalThis.sharedWorld = { name, world, stop: () => world.stop().catch(ignore) };
  return lend(world);
}

const TABLES = `
  SELECT relname AS name FROM pg_class
  WHERE oid IN (to_regclass('dead_letters'), to_regclass('stops')) ORDER BY relname`;
const LEFT = {
  dead_letters: 'SELECT FROM dead_letters LIMIT 1',
  stops: 'SELECT FROM stops WHERE started_at IS NULL LIMIT 1',
} as const;

/** Whether the service is ready, and the files before have left no dead letter and no stop. */
async function isUntouched({ first, database }: Shareable): Promise<boolean> {
  const { ok } = await fetch(`${first.url}/readyz`).catch(() => ({ ok: false }));
  if (!ok) return false;
  for (const { name } of await database.query<{ name: keyof typeof LEFT }>(TABLES))
    if ((await database.query(LEFT[name])).length > 0) return false;
  return true;
}

function lend<W extends Shareable>(world: W): W {
  const ofFile: Running[] = [];
  return {
    ...world,
    async startReplica(...args: never[]) {
      const replica = await world.startReplica(...args);
      ofFile.push(replica);
      return replica;
    },
    stopFirst: (running: Running) => void ofFile.push(running),
    async stop() {
      await Promise.all(ofFile.map((running) => running.stop()));
      world.checkFakes();
    },
  };
}
