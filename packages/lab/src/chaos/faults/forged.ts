import { eventExchange, type Producer, SIGNATURE_HEADER } from '@plataforma/events';
import { eventually, type ProducerSigners, testSigner } from '@plataforma/testing';
import { z } from 'zod';
import type { Dice } from '../dice.ts';
import { execute } from './database.ts';
import type { Fault, Struck } from './fault.ts';
import { type Events, LONG_WAIT, type Message, publish, type Queues } from './message.ts';

const announced = z.looseObject({ data: z.looseObject({}) });

interface Forgery {
  body: string;
  /** The body of a genuine event, which some forgeries use. */
  truth: string;
  producer: Producer;
  signers: ProducerSigners;
}

interface Sent {
  body: string;
  proof?: string | undefined;
}

const proofOf = (producer: Producer, { body, signers }: Pick<Forgery, 'body' | 'signers'>) =>
  signers[producer].sign([Buffer.from(body)])[0] ?? '';

/**
 * The forgeries that an attacker could send with the broker's administrator account, or with the login and
 * key of one service. Every subscriber must refuse each of them.
 */
const ways: readonly ((forgery: Forgery) => Sent)[] = [
  // The message has no signature.
  ({ body }) => ({ body }),
  // Two forgeries: the signature of another event, and a truncated signature of this event.
  ({ body, truth, producer, signers }) => ({ body, proof: proofOf(producer, { body: truth, signers }) }),
  (forgery) => ({ body: forgery.body, proof: proofOf(forgery.producer, forgery).slice(0, -20) }),
  // The signature is made with a key that belongs to no service.
  ({ body }) => ({ body, proof: testSigner.sign([Buffer.from(body)])[0] }),
  // Two forgeries with a signature of `withdrawals`, which must not publish this event type. The first names
  // `withdrawals` as the signer, and the second names the producer.
  (forgery) => ({ body: forgery.body, proof: proofOf('withdrawals', forgery) }),
  (forgery) => ({
    body: forgery.body,
    proof: proofOf('withdrawals', forgery).replace('.withdrawals.', `.${forgery.producer}.`),
  }),
  // The body is truncated, and the signature is that of the complete body.
  (forgery) => ({ body: forgery.body.slice(0, -20), proof: proofOf(forgery.producer, forgery) }),
];

/** Event types whose subscribers together include all services. */
const forgedKinds = [
  { type: 'charge.paid', producer: 'charges' },
  { type: 'merchant.updated', producer: 'gateway' },
] as const;

/** Publishes forged events about payments and merchants, one for each kind of forgery. */
async function forge(world: Queues & Events, dice: Dice): Promise<Struck> {
  const messages: Message[] = [];
  for (const like of forgedKinds) messages.push(...(await forgeriesOf(world, { ...like, dice })));
  if (messages.length === 0)
    return { what: 'none, as nothing is announced yet', isInVain: true, mendedAt: Date.now() };
  await publish(world.brokerUrl, messages);
  return { what: `${messages.length} of payments and merchants`, mendedAt: Date.now() };
}

async function forgeriesOf(
  { platform, poison: poisonIds, signers }: Queues & Events,
  { type, producer, dice }: (typeof forgedKinds)[number] & { dice: Dice },
): Promise<Message[]> {
  const aTrueOne = `SELECT body FROM outbox WHERE type = '${type}' AND published_at IS NOT NULL
    ORDER BY random() LIMIT 1`;
  const [row] = await eventually(() => execute(platform.databaseUrls[producer], aTrueOne), LONG_WAIT);
  if (!row) return [];
  const [truth, template] = [String(row.body), announced.parse(JSON.parse(String(row.body)))];
  return ways.map((way) => {
    const [id, aggregateId] = [dice.uuid(), dice.uuid()];
    poisonIds.add(id);
    const forged = { ...template, id, aggregateId, data: { ...template.data, id: aggregateId } };
    const { body, proof } = way({ body: JSON.stringify(forged), truth, producer, signers });
    const headers: Record<string, string> = proof === undefined ? {} : { [SIGNATURE_HEADER]: proof };
    return { exchange: eventExchange, key: type, body, headers };
  });
}

export const forgedFaults = [
  { name: 'events forged', group: 'message', weight: 4, strike: forge },
] as const satisfies Fault[];
