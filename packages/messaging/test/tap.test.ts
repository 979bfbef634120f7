import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createEventSigner, type DomainEvent, eventExchange, SIGNATURE_HEADER } from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import { claimVhost, eventually, signedHeaders } from '@plataforma/testing';
import { openTap } from '../src/index.ts';
import { keys, log, onChannel, paidCharge, startWire } from './fixture.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/**
 * Starts a tap that requires signatures, on a wire that a test can cut. Collects the events that the tap
 * receives.
 */
async function startTap(receive: (event: DomainEvent) => void = () => undefined) {
  const vhost = await claimVhost();
  const wire = await startWire(vhost);
  const received: string[] = [];
  const tap = openTap({
    ...{ brokerUrl: wire.url, name: 'web', log, types: ['charge.paid'] },
    signatures: { mode: 'require', keys },
    receive(event) {
      receive(event);
      received.push(event.id);
    },
  });
  closing.push(wire.stop, tap.stop);
  await eventually(() => expect(tap.isConnected()).toBe(true));
  return { vhost, wire, tap, received };
}

type Opened = Awaited<ReturnType<typeof startTap>>;

const anEvent = () => ({
  ...{ ...paidCharge(), id: newId(), version: 1, occurredAt: new Date().toISOString(), traceparent: null },
});
type Event = ReturnType<typeof anEvent>;
const signed = (event: Event) => signedHeaders(JSON.stringify(event));

async function publish(url: string, body: string, headers: Record<string, string>): Promise<void> {
  await onChannel(url, async (channel) => {
    channel.publish(eventExchange, 'charge.paid', Buffer.from(body), { headers });
    await channel.waitForConfirms();
  });
}

const send = (url: string, event: Event, headers = signed(event)) =>
  publish(url, JSON.stringify(event), headers);

/** Waits until a probe arrives. Events that are published before the queue is bound are lost. */
async function waitForProbe({ vhost, received }: Opened): Promise<void> {
  await eventually(async () => {
    const probe = anEvent();
    await send(vhost, probe);
    await eventually(() => expect(received).toContain(probe.id), { timeoutMs: 500 });
  });
}

function strangersProof(event: Event): Record<string, string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const signer = createEventSigner('charges', { id: keys.get('charges')?.[0]?.id ?? '', key });
  const [proof = ''] = signer.sign([Buffer.from(JSON.stringify(event))]);
  return { [SIGNATURE_HEADER]: proof };
}

describe('a tap', () => {
  test('receives again after each loss of its connection', async () => {
    const opened = await startTap();

    for (let losses = 0; losses < 3; losses += 1) {
      await waitForProbe(opened);
      opened.wire.cut();
      await eventually(() => expect(opened.tap.isConnected()).toBe(false));
    }

    await waitForProbe(opened);
  });

  test('does not receive events sent while it was disconnected', async () => {
    const opened = await startTap();
    await waitForProbe(opened);
    const missed = anEvent();

    opened.wire.setDead(true);
    await eventually(() => expect(opened.tap.isConnected()).toBe(false));
    await eventually(() => expect(send(opened.vhost, missed)).resolves.toBeUndefined());
    opened.wire.setDead(false);

    await waitForProbe(opened);
    expect(opened.received).not.toContain(missed.id);
  });

  test.each([
    ['without a signature', () => ({})],
    ['with a stranger’s signature', strangersProof],
    ['with the signature of another event', () => signed(anEvent())],
  ])('drops an event %s', async (_which, headersOf) => {
    const opened = await startTap();
    const forged = anEvent();

    await send(opened.vhost, forged, headersOf(forged));

    await waitForProbe(opened);
    expect(opened.received).not.toContain(forged.id);
  });

  test.each(['', 'no JSON', '{"type":"charge.paid"}', '[]'])(
    'continues after a body that is no event: %j',
    async (body) => {
      const opened = await startTap();

      await publish(opened.vhost, body, signedHeaders(JSON.stringify(anEvent())));

      await waitForProbe(opened);
      expect(opened.tap.isConnected()).toBe(true);
    },
  );

  test('continues after an error of its reader', async () => {
    const broken = anEvent();
    const opened = await startTap(({ id }) => {
      if (id === broken.id) throw new Error('not this one');
    });

    await send(opened.vhost, broken);

    await waitForProbe(opened);
    expect(opened.received).not.toContain(broken.id);
  });

  test('receives events in order while its reader is slow', async () => {
    const opened = await startTap(() => {
      const until = performance.now() + 2;
      while (performance.now() < until);
    });
    await waitForProbe(opened);
    const many = Array.from({ length: 500 }, anEvent);

    await onChannel(opened.vhost, async (channel) => {
      for (const event of many) {
        const body = Buffer.from(JSON.stringify(event));
        channel.publish(eventExchange, 'charge.paid', body, { headers: signed(event) });
      }
      await channel.waitForConfirms();
    });

    const ids = many.map(({ id }) => id);
    await eventually(() => expect(opened.received.slice(-ids.length)).toEqual(ids));
  });
});
