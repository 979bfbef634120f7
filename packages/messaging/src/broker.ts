import { setTimeout as sleep } from 'node:timers/promises';
import { backoff } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { type Channel, type ChannelModel, connect } from 'amqplib';

interface BrokerOptions {
  /** An `amqp://` or `amqps://` URL with the virtual host. */
  url: string;
  /** PEM of the CA that signed the broker's certificate. Node's own CAs apply without it. */
  authority?: string | undefined;
  /** The connection's name in the broker's list of connections. */
  name: string;
  log: Log;
  /**
   * Declares the queues and opens the channels and consumers of a new connection. Runs after every connect.
   */
  setup: (connection: ChannelModel) => Promise<void>;
}

export interface Broker {
  isConnected(): boolean;
  /** Drops the connection, so that the broker client opens and sets up a new one. */
  reconnect(): void;
  close(): Promise<void>;
}

/** A connection after its setup. `ended` resolves when the connection ends; `end` makes it resolve. */
interface Link {
  model: ChannelModel;
  ended: Promise<Error>;
  end: (reason: Error) => void;
}

const HEARTBEAT_SECONDS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const SETUP_TIMEOUT_MS = 10_000;
/** A busy broker needs up to this long for the last acknowledgements. A stop may include two such closes. */
const CLOSE_TIMEOUT_MS = 4_000;
const RECONNECTS = { firstMs: 100, longestMs: 2_000 };

/**
 * Keeps a connection to the broker open until `close`, and reconnects with backoff. It does not use the
 * recovery of the library, which waits forever for the answer to a `close` and then never reconnects.
 */
export function openBroker(options: BrokerOptions): Broker {
  const { name, log } = options;
  const closing = new AbortController();
  let current: Link | undefined;
  const lifetime = stayConnected();

  async function stayConnected(): Promise<void> {
    let nextDelayMs = backoff(RECONNECTS);
    while (!closing.signal.aborted) {
      try {
        current = await openLink(options);
        log.info({ connection: name }, 'connected to the broker');
        nextDelayMs = backoff(RECONNECTS);
        const reason = closing.signal.aborted ? undefined : await current.ended;
        if (!closing.signal.aborted) log.warn({ err: reason, connection: name }, 'broker connection lost');
      } catch (error) {
        log.warn({ err: error, connection: name }, 'broker unreachable');
      }
      await closeQuietly(current?.model);
      current = undefined;
      await sleep(nextDelayMs(), undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  return {
    isConnected: () => current !== undefined,
    reconnect: () => current?.end(new Error('given up by its user')),
    async close() {
      closing.abort();
      current?.end(new Error('closed'));
      await lifetime;
    },
  };
}

/** Throws when the connection breaks or the broker does not answer before the setup is done. */
async function openLink({ url, authority, name, log, setup }: BrokerOptions): Promise<Link> {
  const model = await connect(withHeartbeat(url), {
    timeout: CONNECT_TIMEOUT_MS,
    clientProperties: { connection_name: name },
    ...(authority !== undefined && { ca: [authority] }),
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<Error>();
  model.on('close', (error) => end(error ?? new Error('closed')));
  // Node ends the process at an 'error' event without a listener.
  model.on('error', (error) => log.warn({ err: error, connection: name }, 'broker connection failed'));
  const broken = ended.then((reason) => {
    throw reason;
  });
  try {
    await within(
      SETUP_TIMEOUT_MS,
      Promise.race([setup(model), broken]),
      'the broker did not answer the setup',
    );
  } catch (error) {
    await closeQuietly(model);
    throw error;
  }
  return { model, ended, end };
}

/**
 * Ignores errors, because the connection may be closed already. The heartbeat ends a connection to a silent
 * broker.
 */
export async function closeQuietly(open: Channel | ChannelModel | undefined): Promise<void> {
  if (!open) return;
  try {
    await within(CLOSE_TIMEOUT_MS, open.close(), 'the broker did not answer the close');
  } catch {}
}

function withHeartbeat(url: string): string {
  const parsed = new URL(url);
  if (!parsed.searchParams.has('heartbeat')) parsed.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  return parsed.href;
}

/** Waits for `work` for at most `ms`, and then throws an error with `message`. The work itself continues. */
export function within<T>(ms: number, work: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${message} for ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
