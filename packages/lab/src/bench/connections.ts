import { createEventSigner, type EventSigner, SIGNATURE_HEADER } from '@plataforma/events';
import { tokenSigningKey } from '@plataforma/http';
import type { Platform } from '@plataforma/local';
import amqp from 'amqplib';
import type { Owner } from './run.ts';

/** A direct connection to the broker, without an outbox, and the signer of the charges service. */
export interface Line {
  channel: amqp.ConfirmChannel;
  signer: EventSigner;
}

/**
 * Opens a channel with publisher confirms. The handler ignores `error` events, because the next use of a
 * closed channel fails anyway.
 */
export async function openLine({ defer }: Owner, { facts, keys }: Platform): Promise<Line> {
  const connection = await amqp.connect(facts.rabbitmq.url);
  defer(() => connection.close().catch(() => {}));
  connection.on('error', () => {});
  const channel = await connection.createConfirmChannel();
  channel.on('error', () => {});
  return { channel, signer: createEventSigner('charges', tokenSigningKey(keys.charges.privateKey)) };
}

/** Signs all messages as one batch, as the relay of an outbox does, and publishes them. */
export function send({ channel, signer }: Line, queue: string, messages: readonly object[]): void {
  const bodies = messages.map((message) => Buffer.from(JSON.stringify(message)));
  const proofs = signer.sign(bodies);
  for (const [n, body] of bodies.entries())
    channel.sendToQueue(queue, body, { persistent: true, headers: { [SIGNATURE_HEADER]: proofs[n] } });
}

/** The number of messages that the relay of an outbox signs together. */
const BATCH = 200;
const BATCHES_UNCONFIRMED = 5;

/** Sends `count` messages to a queue, and returns when the broker has confirmed all of them. */
export async function fillQueue(
  line: Line,
  { queue, count, message }: { queue: string; count: number; message: (n: number) => object },
): Promise<void> {
  for (let sent = 0; sent < count; sent += BATCH) {
    const size = Math.min(BATCH, count - sent);
    send(
      line,
      queue,
      Array.from({ length: size }, (_, n) => message(sent + n)),
    );
    if ((sent / BATCH) % BATCHES_UNCONFIRMED === BATCHES_UNCONFIRMED - 1)
      await line.channel.waitForConfirms();
  }
  await line.channel.waitForConfirms();
}
