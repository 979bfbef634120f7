import { expect, test } from '@jest/globals';
import { readEvent } from '@plataforma/events';
import { claimVhost, eventually, testSigners } from '@plataforma/testing';
import { connect } from 'amqplib';
import { diceOf } from '../../../src/chaos/dice.ts';
import { messageFaults } from '../../../src/chaos/faults/message.ts';

const [unreadable, ofUnknownType, inapplicable, , setAside] = messageFaults;
const subscribers = ['charges', 'withdrawals', 'ledger', 'webhooks'];

/** Returns the messages that a fault publishes. It also checks that the run has recorded their ids. */
async function poisonOf(fault: typeof unreadable | typeof ofUnknownType | typeof inapplicable) {
  const brokerUrl = await claimVhost({ isBare: true });
  const connection = await connect(brokerUrl);
  const channel = await connection.createChannel();
  for (const subscriber of subscribers) await channel.assertQueue(`${subscriber}.events`);
  const poison = new Set<string>();
  const bodies: Buffer[] = [];

  for (const subscriber of subscribers) {
    await fault.strike(
      { brokerUrl, poison, signers: testSigners },
      { ...diceOf(subscriber), pick: (of) => of.find((one) => one === subscriber) ?? diceOf(1).pick(of) },
    );
    for (;;) {
      const message = await channel.get(`${subscriber}.events`, { noAck: true });
      if (!message) break;
      bodies.push(message.content);
    }
  }
  await connection.close();
  return { bodies, poison };
}

test('an unreadable message or unknown type is no valid event', async () => {
  for (const fault of [unreadable, ofUnknownType]) {
    const { bodies, poison } = await poisonOf(fault);

    expect(bodies.length).toBeGreaterThan(3);
    expect(poison.size).toBe(bodies.length);
    for (const body of bodies) expect(() => readEvent(body)).toThrow();
  }
});

test('at most a few events of each queue become dead letters', async () => {
  const brokerUrl = await claimVhost({ isBare: true });
  const connection = await connect(brokerUrl);
  const channel = await connection.createChannel();
  await channel.assertQueue('dead');
  for (const subscriber of subscribers)
    await channel.assertQueue(`${subscriber}.events`, {
      deadLetterExchange: '',
      deadLetterRoutingKey: 'dead',
    });
  for (let n = 0; n < 9; n += 1) channel.sendToQueue('ledger.events', Buffer.from(`event ${n}`));
  channel.sendToQueue('webhooks.events', Buffer.from('event'));

  const { what } = await setAside.strike({ brokerUrl }, { ...diceOf(1), int: (_from, to) => to });

  expect(what).toBe('6 of them');
  await eventually(async () => expect(await channel.checkQueue('dead')).toMatchObject({ messageCount: 6 }));
  await eventually(async () =>
    expect(await channel.checkQueue('ledger.events')).toMatchObject({ messageCount: 4 }),
  );
  await connection.close();
});

test('an inapplicable event is still readable', async () => {
  const { bodies, poison } = await poisonOf(inapplicable);

  const events = bodies.map(readEvent);

  expect(new Set(events.map(({ id }) => id))).toEqual(poison);
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['merchant.updated', 'charge.paid']));
});
