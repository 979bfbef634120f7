import { describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@plataforma/events';
import { claimVhost, eventually, signedHeaders } from '@plataforma/testing';
import { closingAfterEach } from '@plataforma/testing/fixtures';
import { openTap } from '../src/index.ts';
import { eventOf, keys, log, publish, startWire, strangersProof } from './fixture.ts';

const atTheEnd = closingAfterEach();

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
  atTheEnd(wire.stop, tap.stop);
  await eventually(() => expect(tap.isConnected()).toBe(true));
  return { vhost, wire, tap, received };
}

type Opened = Awaited<ReturnType<typeof startTap>>;

const signed = (event: DomainEvent) => signedHeaders(JSON.stringify(event));
const send = (url: string, event: DomainEvent, headers = signed(event)) =>
  publish(url, { body: JSON.stringify(event), headers });

/** Waits until a probe arrives. Events that are published before the queue is bound are lost. */
async function waitForProbe({ vhost, received }: Opened): Promise<void> {
  await eventually(async () => {
    const probe = eventOf();
    await send(vhost, probe);
    await eventually(() => expect(received).toContain(probe.id), { timeoutMs: 500 });
  });
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
    const missed = eventOf();

    opened.wire.setDead(true);
    await eventually(() => expect(opened.tap.isConnected()).toBe(false));
    await eventually(() => expect(send(opened.vhost, missed)).resolves.toBeUndefined());
    opened.wire.setDead(false);

    await waitForProbe(opened);
    expect(opened.received).not.toContain(missed.id);
  });

  test.each([
    ['without a signature', () => ({})],
    ['with a stranger’s signature', (event: DomainEvent) => strangersProof(JSON.stringify(event))],
    ['with the signature of another event', () => signed(eventOf())],
  ])('drops an event %s', async (_which, headersOf) => {
    const opened = await startTap();
    const forged = eventOf();

    await send(opened.vhost, forged, headersOf(forged));

    await waitForProbe(opened);
    expect(opened.received).not.toContain(forged.id);
  });

  test.each(['', 'no JSON', '{"type":"charge.paid"}', '[]'])(
    'continues after a body that is no event: %j',
    async (body) => {
      const opened = await startTap();

      await publish(opened.vhost, { body, headers: signed(eventOf()) });

      await waitForProbe(opened);
      expect(opened.tap.isConnected()).toBe(true);
    },
  );

  test('continues after an error of its reader', async () => {
    const broken = eventOf();
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
    const many = Array.from({ length: 500 }, eventOf);

    await publish(
      opened.vhost,
      ...many.map((event) => ({ body: JSON.stringify(event), headers: signed(event) })),
    );

    const ids = many.map(({ id }) => id);
    await eventually(() => expect(opened.received.slice(-ids.length)).toEqual(ids));
  });
});
