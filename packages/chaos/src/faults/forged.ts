import { eventExchange, SIGNATURE_HEADER } from '@plataforma/events';
import { eventually, type ProducerSigners, signerOf, testSigner } from '@plataforma/testing';
import { z } from 'zod';
import type { Dice } from '../dice.ts';
import { execute } from './database.ts';
import type { Fault, Struck } from './fault.ts';
import { type Events, type Message, PATIENCE, publish, type Queues } from './message.ts';

const paidEvent = z.looseObject({ data: z.looseObject({}) });

interface Forgery {
  body: string;
  /** The body of an event that was announced. */
  truth: string;
  signers: ProducerSigners;
}

const unsigned = () => undefined;
const ofAnother = ({ truth, signers }: Forgery) => signerOf(signers).sign([Buffer.from(truth)])[0];
const ofAStranger = ({ body }: Forgery) => testSigner.sign([Buffer.from(body)])[0];

/** A service that may announce, about what is not its own to announce. */
const ofAnotherProducer = ({ body, signers }: Forgery) => signers.withdrawals.sign([Buffer.from(body)])[0];

const TRUE_ONE = `SELECT body FROM outbox WHERE type = 'charge.paid' AND published_at IS NOT NULL
  ORDER BY random() LIMIT 1`;

/** A payment that never was, for a merchant that is, in each of the ways in which its proof can be wrong. */
async function forge(
  { brokerUrl, platform, poison: known, signers }: Queues & Events,
  dice: Dice,
): Promise<Struck> {
  const [row] = await eventually(() => execute(platform.databaseUrls.charges, TRUE_ONE), PATIENCE);
  if (!row) return { what: 'none, as no charge is paid yet', isInVain: true, mendedAt: Date.now() };
  const [truth, template] = [String(row.body), paidEvent.parse(JSON.parse(String(row.body)))];
  const headers = (proof: string | undefined) => (proof === undefined ? {} : { [SIGNATURE_HEADER]: proof });
  const messages = [unsigned, ofAnother, ofAStranger, ofAnotherProducer].map((proofOf): Message => {
    const id = dice.uuid();
    known.add(id);
    const chargeId = dice.uuid();
    const forged = { ...template, id, aggregateId: chargeId, data: { ...template.data, id: chargeId } };
    const body = JSON.stringify(forged);
    return {
      exchange: eventExchange,
      key: 'charge.paid',
      body,
      headers: headers(proofOf({ body, truth, signers })),
    };
  });
  await publish(brokerUrl, messages);
  return { what: `${messages.length} of a payment`, mendedAt: Date.now() };
}

export const forgedFaults = [
  { name: 'events forged', group: 'message', weight: 4, strike: forge },
] as const satisfies Fault[];
