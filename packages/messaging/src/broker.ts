import { setTimeout as sleep } from 'node:timers/promises';
import { backoff } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { type Channel, type ChannelModel, connect } from 'amqplib';

interface BrokerOptions {
  /** The `amqp://` or `amqps://` URL of the broker, with the virtual host. */
  url: string;
  /** The certificate authority of the broker as PEM. Without it, Node's own authorities apply. */
  authority?: string | undefined;
  /** The name of the connection in the broker's list of connections. */
  name: string;
  log: Log;
  /**
   * Declares the queues of a new connection, and opens its channels and consumers. It runs after every
   * connect.
   */
  setup: (connection: ChannelModel) => Promise<void>;
}

export interface Broker {
  isConnected(): boolean;
  /** Ends the connection, so that a new one is opened and set up. */
  reconnect(): void;
  close(): Promise<void>;
}

/** A connection after its setup. `ended` resolves when the connection ends, or when `end` is called. */
interface Link {
  model: ChannelModel;
  ended: Promise<Error>;
  end: (reason: Error) => void;
}

const HEARTBEAT_SECONDS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const SETUP_TIMEOUT_MS = 10_000;
/**
 * The longest wait for a close. A busy broker needs this time for the last acknowledgements. A stop may close
 * a channel and then its connection, and wait twice.
 */
const CLOSE_TIMEOUT_MS = 4_000;
const RECONNECTS = { firstMs: 100, longestMs: 2_000 };

/**
 * Keeps a connection to the broker open until `close`, and reconnects with backoff. It does not use the
 * library's recovery, which waits for ever if the broker does not answer a `close`, and then never
 * reconnects.
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

/**
 * Opens and sets up a connection. Throws when the connection breaks, or the broker does not answer, before
 * the setup has ended.
 */
async function openLink({ url, authority, name, log, setup }: BrokerOptions): Promise<Link> {
  const model = await connect(withHeartbeat(url), {
    timeout: CONNECT_TIMEOUT_MS,
    clientProperties: { connection_name: name },
    ...(authority !== undefined && { ca: [authority] }),
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<Error>();
  model.on('close', (error) => end(error ?? new Error('closed')));
  // Without a listener for 'error' events, Node would end the process at the first error.
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
 * Closes a channel or a connection, and ignores errors because it may be closed already. If the broker does
 * not answer, the heartbeat later ends the connection.
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

/** Waits at most `ms` for `work`, and then throws an error with `message`. The work is not interrupted. */
export function within<T>(ms: number, work: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${message} for ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
