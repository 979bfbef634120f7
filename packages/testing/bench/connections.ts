import amqp from 'amqplib';
import type { Owner } from './closers.ts';

/** A channel that confirms. That the broker ends it is for its next use to say: it is no event of its own. */
export async function openChannel({ defer }: Owner, url: string): Promise<amqp.ConfirmChannel> {
  const connection = await amqp.connect(url);
  defer(() => connection.close().catch(() => {}));
  connection.on('error', () => {});
  const channel = await connection.createConfirmChannel();
  channel.on('error', () => {});
  return channel;
}

export function send(channel: amqp.ConfirmChannel, queue: string, message: object): void {
  channel.sendToQueue(queue, Buffer.from(JSON.stringify(message)), { persistent: true });
}

const UNCONFIRMED = 1_000;

/** Sends so many messages to a queue, and returns when the broker has all of them. */
export async function fillQueue(
  channel: amqp.ConfirmChannel,
  { queue, count, message }: { queue: string; count: number; message: (n: number) => object },
): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    send(channel, queue, message(n));
    if (n % UNCONFIRMED === UNCONFIRMED - 1) await channel.waitForConfirms();
  }
  await channel.waitForConfirms();
}
