import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { endsCommit, isCommit, readMessages } from './postgres-messages.ts';

/** A proxy between a process and a server that the process calls. */
export interface Link {
  /** The name of the link, such as `charges-1 → database`. */
  readonly name: string;
  readonly kind: 'database' | 'broker' | 'service' | 'provider';
  /** The port of the loopback interface on which the link accepts connections. */
  readonly port: number;
  /** Changes the link's behaviour immediately, for new and for open connections. */
  behave(how: Behaviour): void;
  /** The number of COMMITs whose responses the link has lost or is about to lose. */
  lostCommits(): number;
  stop(): Promise<void>;
}

export type Behaviour =
  | { kind: 'passes' }
  /** Delays all bytes by `ms` in both directions. */
  | { kind: 'delays'; ms: number }
  /** Resets open connections, and new connections as soon as they are made. */
  | { kind: 'cuts' }
  /** Keeps open connections and accepts new connections, but transmits nothing in either direction. */
  | { kind: 'is silent' }
  /** Transmits the requests but not the responses. */
  | { kind: 'loses answers' }
  /**
   * For links to a database. Transmits the next `times` COMMITs, but resets the connection of each COMMIT
   * before the response arrives.
   */
  | { kind: 'loses COMMIT answers'; times: number };

interface LinkOptions extends Pick<Link, 'name' | 'kind'> {
  targetPort: number;
}

interface Traffic {
  how: Behaviour;
  changed: PromiseWithResolvers<void>;
  commitsToLose: number;
  lostCommits: number;
}

interface Connection {
  caller: Socket;
  callee: Socket;
  /** True if bytes of this connection were lost. The link then transmits no further responses. */
  isTorn: boolean;
  /** True if the link must lose the response to the current COMMIT. */
  losesCommit: boolean;
}

export async function openLink({ name, kind, targetPort }: LinkOptions): Promise<Link> {
  const open = new Set<Connection>();
  const traffic: Traffic = {
    ...{ how: { kind: 'passes' }, changed: Promise.withResolvers() },
    ...{ commitsToLose: 0, lostCommits: 0 },
  };

  function take(caller: Socket): void {
    if (traffic.how.kind === 'cuts') return void caller.resetAndDestroy();
    const callee = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const connection = { caller, callee, isTorn: false, losesCommit: false };
    open.add(connection);
    for (const socket of [caller, callee]) {
      socket.on('close', () => caller.destroyed && callee.destroyed && open.delete(connection));
    }
    join(connection, traffic, kind === 'database');
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, take);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return {
    ...{ name, kind, port: address.port },
    behave(how) {
      const { changed } = traffic;
      const commitsToLose = how.kind === 'loses COMMIT answers' ? how.times : 0;
      Object.assign(traffic, { how, commitsToLose, changed: Promise.withResolvers() });
      changed.resolve();
      for (const connection of open) if (connection.isTorn || how.kind === 'cuts') reset(connection);
    },
    lostCommits: () => traffic.lostCommits,
    async stop() {
      for (const { caller, callee } of open) {
        caller.destroy();
        callee.destroy();
      }
      server.close();
      await once(server, 'close');
    },
  };
}

function join(connection: Connection, traffic: Traffic, isDatabase: boolean): void {
  const { caller, callee } = connection;
  const readCaller = readMessages({ startsUntyped: true }, (message) => {
    if (traffic.commitsToLose === 0 || connection.losesCommit || !isCommit(message)) return;
    traffic.commitsToLose -= 1;
    traffic.lostCommits += 1;
    connection.losesCommit = true;
  });
  const readCallee = readMessages({ startsUntyped: false }, (message) => {
    if (connection.losesCommit && endsCommit(message)) reset(connection);
  });
  const there = (piece: Buffer) => {
    if (isDatabase) readCaller(piece);
    return true;
  };
  const back = (piece: Buffer) => {
    if (isDatabase) readCallee(piece);
    connection.isTorn ||= traffic.how.kind === 'loses answers';
    return !connection.isTorn && !connection.losesCommit;
  };
  carry({ from: caller, to: callee, mayPass: there }, traffic);
  carry({ from: callee, to: caller, mayPass: back }, traffic);
}

interface Way {
  from: Socket;
  to: Socket;
  mayPass(piece: Buffer): boolean;
}

/** Transmits data, ends and errors in their order, with the delays of the link's behaviour. */
function carry({ from, to, mayPass }: Way, traffic: Traffic): void {
  let delivery = Promise.resolve();
  const bring = (act: () => void) => {
    const due = performance.now() + (traffic.how.kind === 'delays' ? traffic.how.ms : 0);
    delivery = delivery.then(async () => {
      const wait = due - performance.now();
      if (wait > 0) await sleep(wait, undefined, { ref: false });
      while (traffic.how.kind === 'is silent') await traffic.changed.promise;
      if (!to.destroyed) act();
    });
  };
  from.on('data', (piece) =>
    bring(() => {
      if (!mayPass(piece) || to.write(piece) || from.isPaused()) return;
      from.pause();
      to.once('drain', () => from.resume());
    }),
  );
  from.on('end', () => bring(() => to.end()));
  from.on('error', () => bring(() => to.resetAndDestroy()));
  from.on('close', () => {
    if (!from.readableEnded) bring(() => to.destroy());
  });
}

function reset({ caller, callee }: Connection): void {
  caller.resetAndDestroy();
  callee.resetAndDestroy();
}
