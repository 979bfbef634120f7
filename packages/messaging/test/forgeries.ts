import { type DomainEvent, type Producer, producerOf, SIGNATURE_HEADER } from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import { testSigners } from '@plataforma/testing';
import { keys, type Message, strangersProof } from './fixture.ts';

interface Made {
  body: Buffer;
  producer: Producer;
  /** The genuine proof with which the producer signed this body. */
  proof: string;
  /**
   * The index of the forgery in the list of `forgeriesOf`. The index decides how much of a body or a
   * signature is cut off.
   */
  at: number;
}

const signedBy = (producer: Producer, body: Buffer) => testSigners[producer].sign([body])[0] ?? '';
const another = (producer: Producer): Producer => (producer === 'charges' ? 'withdrawals' : 'charges');

/** The ways in which an intruder with access to the broker can change a body and a proof. */
const kinds: Record<string, (made: Made) => { body?: Buffer; proof?: string }> = {
  unsigned: () => ({}),
  'signed by a stranger in the name of its producer': ({ body, producer }) => ({
    proof: strangersProof(body, producer)[SIGNATURE_HEADER] ?? '',
  }),
  'signed by another producer': ({ body, producer }) => ({ proof: signedBy(another(producer), body) }),
  'signed by another producer in the name of its own': ({ body, producer }) => ({
    proof: signedBy(another(producer), body).replace(`.${another(producer)}.`, `.${producer}.`),
  }),
  'under the id of another key': ({ producer, proof }) => ({
    proof: proof.replace(keys.get(producer)?.[0]?.id ?? '', keys.get(another(producer))?.[0]?.id ?? ''),
  }),
  'with the signature of another event': ({ body, producer }) => ({
    proof: signedBy(producer, Buffer.concat([body, Buffer.from(' ')])),
  }),
  'with an extra byte': ({ body, proof }) => ({
    ...{ body: Buffer.concat([body, Buffer.from(' ')]), proof },
  }),
  'with another amount or name': ({ body, proof }) => ({
    ...{ body: Buffer.from(body.toString().replace(/"(amount|version)":1/, '"$1":9')), proof },
  }),
  'with a truncated signature': ({ proof, at }) => ({ proof: proof.slice(0, -1 - (at % 80)) }),
  'with a truncated body': ({ body, proof, at }) => ({ body: body.subarray(0, -1 - (at % 80)), proof }),
};

export const kindsOfForgeries = Object.keys(kinds);

/**
 * Returns `count` forged messages, which use the kinds of forgery in turn. Each message forges a copy of the
 * event `like` with a new id.
 */
export function forgeriesOf(like: DomainEvent, count: number): Message[] {
  const producer = producerOf(like.type);
  const all = Object.values(kinds);
  return Array.from({ length: count }, (_, at) => {
    const whole = Buffer.from(JSON.stringify({ ...like, id: newId() }));
    const made = { body: whole, producer, proof: signedBy(producer, whole), at };
    const { body = whole, proof } = all[at % all.length]?.(made) ?? {};
    return { key: like.type, body, headers: proof === undefined ? {} : { [SIGNATURE_HEADER]: proof } };
  });
}
