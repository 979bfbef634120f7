import {
  createEventSigner,
  type EventSigner,
  type Producer,
  producerOf,
  readEvents,
  SIGNATURE_HEADER,
} from '@plataforma/events';
import { tokenSigningKey } from '@plataforma/http';
import { keysOfWorker } from '../world/identities.ts';

type ByProducer<T> = Readonly<Record<Producer, T>>;

export type ProducerSigners = ByProducer<EventSigner>;

/**
 * Returns a signer for events of all types. It uses the key of the service that produces the event's type.
 */
export function signerOf(signers: ProducerSigners): EventSigner {
  return {
    sign: (bodies) => bodies.flatMap((body) => signers[producerOf(readEvents(body)[0].type)].sign([body])),
  };
}

/**
 * Returns the signer of each producer, from private keys in PKCS #8 DER and base64, as in the services'
 * settings.
 */
export function signersWith(keys: ByProducer<{ privateKey: string }>): ProducerSigners {
  const signerFor = (producer: Producer) =>
    createEventSigner(producer, tokenSigningKey(keys[producer].privateKey));
  return {
    gateway: signerFor('gateway'),
    charges: signerFor('charges'),
    withdrawals: signerFor('withdrawals'),
    ledger: signerFor('ledger'),
    webhooks: signerFor('webhooks'),
  };
}

const pairs = {
  gateway: keysOfWorker('events of gateway'),
  charges: keysOfWorker('events of charges'),
  withdrawals: keysOfWorker('events of withdrawals'),
  ledger: keysOfWorker('events of ledger'),
  webhooks: keysOfWorker('events of webhooks'),
};

export const testSigners = signersWith(pairs);

/** The signer of the events that tests publish in the name of a service. */
export const testSigner = signerOf(testSigners);

/** Settings with which a service applies only those events that `testSigner` has signed. */
export const signedEventsOnly = {
  EVENT_KEYS: JSON.stringify(
    Object.fromEntries(Object.entries(pairs).map(([name, { publicKey }]) => [name, publicKey])),
  ),
  EVENT_SIGNATURES: 'require',
} as const;

/**
 * Returns the signature header of a message that a test publishes directly to the broker. Returns no header
 * if the body is not an event.
 */
export function signedHeaders(body: string | Buffer, signer = testSigner): Record<string, string> {
  try {
    const [proof = ''] = signer.sign([Buffer.from(body)]);
    return { [SIGNATURE_HEADER]: proof };
  } catch {
    return {};
  }
}
