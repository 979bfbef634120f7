import { type KeyObject, sign, verify } from 'node:crypto';
import type { EventType } from './catalogue.ts';
import { climb, isPath, leafOf, MOST_LEAVES, type Node, treeOf } from './merkle-tree.ts';
import { isProducer, type Producer, producerOf } from './producers.ts';

export const SIGNATURE_HEADER = 'x-event-signature';

/** A P-256 key, private or public, and its name in proofs. */
export interface EventKey {
  id: string;
  key: KeyObject;
}

export const MOST_SIGNED_AT_ONCE = MOST_LEAVES;

export interface EventSigner {
  /** Returns a proof for each body, in their order. One signature covers all bodies. */
  sign(bodies: readonly Buffer[]): string[];
}

/**
 * `valid`: the type's producer signed exactly these bytes. `unsigned`: the message has no proof. `unchecked`:
 * the message has a proof, but this process has no keys of the producer. `invalid`: any other proof, such as
 * a proof of a service that must not publish this type.
 */
export const verdicts = ['valid', 'unsigned', 'unchecked', 'invalid'] as const;
export type Verdict = (typeof verdicts)[number];

export interface Signed {
  body: Buffer;
  /** The type in the body, not in a header or routing key. */
  type: EventType;
  proof: unknown;
}

export interface EventVerifier {
  verdictOf(signed: Signed): Verdict;
}

const VERSION = 'v1';
/**
 * The first bytes of each signed text. No token begins with these bytes, so the signature of a token is never
 * valid for an event, even with the same key.
 */
const CONTEXT = Buffer.from('plataforma.events.v1\0');
const ENCODING = 'ieee-p1363';
/**
 * A verifier remembers the signatures of this many batches. Messages of one batch mostly arrive together, but
 * messages of a few batches may arrive mixed.
 */
const CACHED_BATCHES = 32;

/**
 * Creates a signer. It builds a hash tree over the batch and signs the root with ES256. A proof is
 * `v1.producer.key.signature.path`, with signature and path in base64url.
 */
export function createEventSigner(producer: Producer, { id, key }: EventKey): EventSigner {
  return {
    sign(bodies) {
      if (bodies.length === 0) return [];
      const { root, paths } = treeOf(bodies.map((body) => leafOf(producer, body)));
      const signature = sign('sha256', textOf(root), { key, dsaEncoding: ENCODING });
      const shared = [VERSION, producer, id, signature.toString('base64url')].join('.');
      return paths.map((path) => `${shared}.${path.toString('base64url')}`);
    },
  };
}

/**
 * Creates a verifier. `keys` has the public keys of each producer: more than one key during a key rotation.
 */
export function createEventVerifier(keys: ReadonlyMap<string, readonly EventKey[]>): EventVerifier {
  const batchOf = cacheBatches((shared) => batchIn(shared, keys));

  return {
    verdictOf({ body, type, proof }) {
      if (proof === undefined || proof === null) return 'unsigned';
      if (typeof proof !== 'string') return 'invalid';
      const end = proof.lastIndexOf('.');
      const batch = batchOf(proof.slice(0, Math.max(0, end)));
      if (batch?.producer !== producerOf(type)) return 'invalid';
      const leaf = leafOf(batch.producer, body);
      if (batch.proved.has(leaf)) return 'valid';
      const path = Buffer.from(proof.slice(end + 1), 'base64url');
      if (!isPath(path)) return 'invalid';
      if (!batch.hasKeys) return 'unchecked';
      return proves(leaf, path, batch) ? 'valid' : 'invalid';
    },
  };
}

interface Batch {
  producer: Producer;
  hasKeys: boolean;
  key: KeyObject | undefined;
  signature: string;
  /** Nodes that are already proved to belong to the signed root, so that each node is verified only once. */
  proved: Set<Node>;
}

/**
 * Parses the part of a proof that all events of a batch share. Returns undefined if the part has a wrong
 * format.
 */
function batchIn(shared: string, keys: ReadonlyMap<string, readonly EventKey[]>): Batch | undefined {
  const [version, producer = '', keyId, signature, ...rest] = shared.split('.');
  if (version !== VERSION || !isProducer(producer) || signature === undefined || rest.length > 0)
    return undefined;
  const trusted = keys.get(producer);
  const key = trusted?.find(({ id }) => id === keyId)?.key;
  return { producer, hasKeys: trusted !== undefined, key, signature, proved: new Set() };
}

function proves(leaf: Node, path: Buffer, { key, signature, proved }: Batch): boolean {
  if (!key) return false;
  const { top, passed } = climb(leaf, path, (node) => proved.has(node));
  if (!(proved.has(top) || isSigned(top, { key, signature }))) return false;
  // The nodes on a proved path are proved too. The path of a sibling leaf then ends at the first proved node.
  for (const node of passed) proved.add(node);
  proved.add(top);
  return true;
}

function isSigned(root: Node, { key, signature }: { key: KeyObject; signature: string }): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  return verify('sha256', textOf(root), { key, dsaEncoding: ENCODING }, bytes);
}

function textOf(root: Node): Buffer {
  return Buffer.concat([CONTEXT, Buffer.from(root, 'latin1')]);
}

/**
 * Caches the latest signed batches. The key is the part that all proofs of a batch share. Messages of one
 * batch mostly arrive together.
 */
function cacheBatches(read: (shared: string) => Batch | undefined) {
  const batches = new Map<string, Batch>();
  let last: { shared: string; batch: Batch | undefined } = { shared: '', batch: undefined };
  return (shared: string): Batch | undefined => {
    if (shared === last.shared) return last.batch;
    const batch = batches.get(shared) ?? read(shared);
    last = { shared, batch };
    batches.delete(shared);
    if (batch) batches.set(shared, batch);
    const [oldest] = batches.keys();
    if (batches.size > CACHED_BATCHES && oldest !== undefined) batches.delete(oldest);
    return batch;
  };
}
