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
  /**
   * The test environment that the files of this worker process share. `jest-environment.ts` stops it after a
   * failed file, and before the files of another service.
   */
  var sharedWorld: { name: string; world: Shareable; stop(): Promise<void> } | undefined;
}

interface Sharing<W> {
  /** The name of the kind of test environment. A service may have several kinds. */
  name: string;
  start(): Promise<W>;
  /** Resets the fake services and providers that earlier files have changed. */
  reset?(world: NoInfer<W>): Promise<unknown>;
}

/**
 * Returns the test environment that the files of a worker process share, and starts it if necessary. Its
 * function `stop` stops only the processes that the file started. A file needs a test environment of its own
 * if it has special settings, or reads rows of other files' merchants.
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
  // An error of the stop is only printed. The file that damaged the test environment has failed already, and
  // the next file must not fail too.
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

/**
 * Returns true if the service is ready, and earlier files have left neither dead letters nor stopped orders.
 */
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
