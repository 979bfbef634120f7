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

/** Returns a signer that signs each event with the key of the service that produces its type. */
export function signerOf(signers: ProducerSigners): EventSigner {
  return {
    sign: (bodies) => bodies.flatMap((body) => signers[producerOf(readEvents(body)[0].type)].sign([body])),
  };
}

/** Returns the signers for private keys in PKCS #8 DER, base64, as in the services' settings. */
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

/** Signs the events that tests publish in the name of a service. */
export const testSigner = signerOf(testSigners);

/** Settings under which a service applies only events that `testSigner` signed. */
export const signedEventsOnly = {
  EVENT_KEYS: JSON.stringify(
    Object.fromEntries(Object.entries(pairs).map(([name, { publicKey }]) => [name, publicKey])),
  ),
  EVENT_SIGNATURES: 'require',
} as const;

/**
 * Returns the headers for a message that a test publishes without an outbox; none if the body is no event.
 */
export function signedHeaders(body: string | Buffer, signer = testSigner): Record<string, string> {
  try {
    const [proof = ''] = signer.sign([Buffer.from(body)]);
    return { [SIGNATURE_HEADER]: proof };
  } catch {
    return {};
  }
}
