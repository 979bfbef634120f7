import { type EventSigner, eventExchange, SIGNATURE_HEADER } from '@plataforma/events';
import type { Log } from '@plataforma/observe';
import type { ChannelModel, ConfirmChannel } from 'amqplib';
import { type Broker, openBroker, within } from './broker.ts';
import { requireExchange } from './declare-topology.ts';
import { situation } from './fail-points.ts';
import { createForbiddenTypes } from './forbidden-types.ts';
import { beginPublication, type Publication } from './traces.ts';

export interface OutgoingMessage {
  id: string;
  type: string;
  body: string;
}

/**
 * The outcome for each event id. An event in neither set was not stored: its type is forbidden, the broker
 * refused it, or no queue takes it.
 */
interface Published {
  stored: ReadonlySet<string>;
  /** The events that were not sent, because an earlier event of the same aggregate has a forbidden type. */
  postponedBehind: ReadonlySet<string>;
}

export interface Publisher {
  isReady(): boolean;
  /**
   * Publishes all messages, and waits until the broker confirms or refuses each. Throws when the broker does
   * not answer; it is then unknown whether the messages are stored. A type that the broker has forbidden is
   * not sent for some time, because the broker's refusal closes the channel for all messages.
   */
  publish(messages: readonly OutgoingMessage[]): Promise<Published>;
  close(): Promise<void>;
}

interface PublisherOptions {
  url: string;
  authority?: string | undefined;
  name: string;
  /** Signs each batch right before the batch is sent, with the current key of the process. */
  signer: EventSigner;
  log: Log;
  onReady: () => void;
}

/**
 * The longest wait for confirmations. Without a limit, the wait would not end, because a blocked broker does
 * not answer.
 */
const CONFIRM_TIMEOUT_MS = 10_000;
const ACCESS_REFUSED = 403;

export function openPublisher({ url, authority, name, signer, log, onReady }: PublisherOptions): Publisher {
  let channel: ConfirmChannel | undefined;
  const unroutable = new Set<string>();
  const forbidden = createForbiddenTypes();
  let sent: readonly OutgoingMessage[] = [];

  const broker: Broker = openBroker({
    ...{ url, authority },
    name,
    log,
    setup: async (connection) => {
      await requireExchange(connection);
      await open(connection);
    },
  });

  async function open(connection: ChannelModel): Promise<void> {
    const opened = await connection.createConfirmChannel();
    let isRefused = false;
    opened.on('error', (error) => {
      log.warn({ err: error }, 'publishing channel failed');
      isRefused = 'code' in error && error.code === ACCESS_REFUSED;
      if (isRefused) forbidden.recordForbidden(error.message, sent);
    });
    opened.on('close', () => {
      if (channel !== opened) return;
      channel = undefined;
      if (isRefused) open(connection).catch(broker.reconnect);
      else broker.reconnect();
    });
    // The broker first returns a message that no queue takes, and then confirms the same message.
    opened.on('return', (message) => unroutable.add(String(message.properties.messageId)));
    channel = opened;
    setImmediate(onReady);
  }

  return {
    isReady: () => channel !== undefined,
    async publish(messages) {
      const current = channel;
      if (!current) throw new Error('no connection to the broker');
      const { free, postponedBehind } = forbidden.partition(messages);
      sent = free;
      const outgoing = signed(free, signer);
      let stored = new Set<string>();
      try {
        const confirmed = await within(
          CONFIRM_TIMEOUT_MS,
          Promise.all(outgoing.map((m) => send(current, m))),
          'the broker confirmed nothing',
        );
        if (channel !== current) throw new Error('the channel to the broker was lost before it confirmed');
        forbidden.clear(free);
        if (unroutable.size > 0) situation('event kept that no queue took');
        stored = new Set(confirmed.filter((id) => id !== undefined).filter((id) => !unroutable.has(id)));
        return { stored, postponedBehind };
      } catch (error) {
        if (channel === current) broker.reconnect();
        throw error;
      } finally {
        unroutable.clear();
        for (const { id, publication } of outgoing) publication.end(stored.has(id));
      }
    },
    close: () => broker.close(),
  };
}

interface Outgoing {
  id: string;
  type: string;
  content: Buffer;
  proof: string;
  publication: Publication;
}

function signed(messages: readonly OutgoingMessage[], signer: EventSigner): Outgoing[] {
  const contents = messages.map(({ body }) => Buffer.from(body));
  const proofs = signer.sign(contents);
  return messages.map((message, index) => {
    const [content, proof] = [contents[index], proofs[index]];
    if (!content || proof === undefined) throw new Error('every event of a batch has a proof');
    return { id: message.id, type: message.type, content, proof, publication: beginPublication(message) };
  });
}

/**
 * Publishes a message. Returns its id when the broker confirms the message, and undefined when the broker
 * refuses or loses it.
 */
function send(
  channel: ConfirmChannel,
  { id, type, content, proof, publication }: Outgoing,
): Promise<string | undefined> {
  const contentType = 'application/json';
  const headers = { ...publication.headers, [SIGNATURE_HEADER]: proof };
  const options = { persistent: true, mandatory: true, messageId: id, type, contentType, headers };
  return new Promise((resolve) => {
    channel.publish(eventExchange, type, content, options, (error) => resolve(error ? undefined : id));
  });
}
