import { afterEach, describe, expect, test } from '@jest/globals';
import { claimVhost, eventually } from '@plataforma/testing';
import { type Broker, openBroker } from '../src/broker.ts';
import { log, startWire, type Wire } from './fixture.ts';

const closing: (() => unknown)[] = [];
async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}
afterEach(closeAll);

/**
 * The maximum number of connections that the test opens at the same time. With more connections, a busy
 * machine would exceed the timeout of the setup.
 */
const AT_ONCE = 20;

function openOn(wire: Wire, setup: () => Promise<void> = async () => undefined): Broker {
  const broker = openBroker({ url: wire.url, name: 'test', log, setup });
  closing.push(wire.stop, () => broker.close());
  return broker;
}

describe('the connection to the broker', () => {
  test('reopens after a cut at any point of the handshake', async () => {
    const vhost = await claimVhost();
    const first = await startWire(vhost);
    const made = openOn(first);
    await eventually(() => expect(made.isConnected()).toBe(true));

    // The cuts cover the whole handshake, which is shorter than 1,680 bytes, in steps of 12 bytes.
    const lengths = Array.from({ length: 140 }, (_, n) => n * 12);
    for (let begin = 0; begin < lengths.length; begin += AT_ONCE) {
      const brokers = await Promise.all(
        lengths.slice(begin, begin + AT_ONCE).map(async (length) => {
          const wire = await startWire(vhost);
          wire.cutNextAfter(length);
          return openOn(wire);
        }),
      );
      await eventually(() => expect(brokers.map((broker) => broker.isConnected())).not.toContain(false));
      await closeAll();
    }
  });

  test('reopens after a failed setup and on its user’s request', async () => {
    const wire = await startWire(await claimVhost());
    let setups = 0;
    const broker = openOn(wire, async () => {
      setups += 1;
      if (setups === 1) throw new Error('not this time');
    });

    await eventually(() => expect(broker.isConnected()).toBe(true));
    expect(setups).toBe(2);
    broker.reconnect();
    await eventually(() => expect(setups).toBe(3));
    await eventually(() => expect(broker.isConnected()).toBe(true));
  });

  test('closes although the broker does not answer', async () => {
    const wire = await startWire(await claimVhost());
    const broker = openOn(wire);
    await eventually(() => expect(broker.isConnected()).toBe(true));
    wire.setMute(true);

    await broker.close();

    expect(broker.isConnected()).toBe(false);
  });
});
