import { type KeyObject, sign, verify } from 'node:crypto';
import type { EventType } from './catalogue.ts';
import { climb, isPath, leafOf, MOST_LEAVES, type Node, treeOf } from './merkle-tree.ts';
import { isProducer, type Producer, producerOf } from './producers.ts';

/** The header of a message in which its proof travels. */
export const SIGNATURE_HEADER = 'x-event-signature';

/** A key of P-256, private or public, and the name by which a proof says which of several it was made with. */
export interface EventKey {
  id: string;
  key: KeyObject;
}

/** So many events at most are signed as one batch. */
export const MOST_SIGNED_AT_ONCE = MOST_LEAVES;

export interface EventSigner {
  /** A proof for each of the bodies, in their order; one signature covers them all. */
  sign(bodies: readonly Buffer[]): string[];
}

/**
 * valid: its producer signed exactly these bytes. unsigned: there is no proof. unchecked: there is one, and the keys of
 * its producer are not known here. invalid: any other proof, among them that of a service this type does not come from.
 */
export const verdicts = ['valid', 'unsigned', 'unchecked', 'invalid'] as const;
export type Verdict = (typeof verdicts)[number];

export interface Signed {
  body: Buffer;
  /** As the body names it: never as a header or a routing key does. */
  type: EventType;
  /** What came in SIGNATURE_HEADER. */
  proof: unknown;
}

export interface EventVerifier {
  verdictOf(signed: Signed): Verdict;
}

const VERSION = 'v1';
/** What the key also signs, tokens, never begins so. */
const CONTEXT = Buffer.from('plataforma.events.v1\0');
const ENCODING = 'ieee-p1363';
/** Of so many batches it is remembered what was proved; they come one after the other, a few side by side. */
const ROOTS_REMEMBERED = 32;

/**
 * Signs by ES256 the root of a tree of hashes over the batch. A proof is `v1.producer.key.signature.path`, the last two
 * in base64url.
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

/** `keys`: the public ones of each producer, several while it changes from one to the next. */
export function createEventVerifier(keys: ReadonlyMap<string, readonly EventKey[]>): EventVerifier {
  const proved = rememberNodes();

  function proves(body: Buffer, { producer, keyId, signature, path }: Proof, key: KeyObject): boolean {
    const known = proved.of(`${producer}.${keyId}.${signature}`);
    const { top, passed } = climb(leafOf(producer, body), path, (node) => known.has(node));
    if (!(known.has(top) || isSigned(top, { key, signature }))) return false;
    // What was hashed into a node of the tree is of the tree as well: of two siblings the second one is not climbed from.
    for (const node of passed) known.add(node);
    known.add(top);
    return true;
  }

  return {
    verdictOf({ body, type, proof: header }) {
      if (header === undefined || header === null) return 'unsigned';
      const proof = typeof header === 'string' ? proofIn(header) : undefined;
      if (proof?.producer !== producerOf(type)) return 'invalid';
      const trusted = keys.get(proof.producer);
      if (!trusted) return 'unchecked';
      const key = trusted.find(({ id }) => id === proof.keyId)?.key;
      return key && proves(body, proof, key) ? 'valid' : 'invalid';
    },
  };
}

interface Proof {
  producer: Producer;
  keyId: string;
  signature: string;
  path: Buffer;
}

/** Undefined for what is no proof of this version. */
function proofIn(header: string): Proof | undefined {
  const [version, producer = '', keyId = '', signature = '', encoded, ...rest] = header.split('.');
  if (version !== VERSION || !isProducer(producer) || encoded === undefined || rest.length > 0)
    return undefined;
  const path = Buffer.from(encoded, 'base64url');
  return isPath(path) ? { producer, keyId, signature, path } : undefined;
}

function isSigned(root: Node, { key, signature }: { key: KeyObject; signature: string }): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  return verify('sha256', textOf(root), { key, dsaEncoding: ENCODING }, bytes);
}

function textOf(root: Node): Buffer {
  return Buffer.concat([CONTEXT, Buffer.from(root, 'latin1')]);
}

/** Nodes that are known to belong to a signed root, by its signature: of a batch each is computed once. */
function rememberNodes() {
  const bySignature = new Map<string, Set<Node>>();
  return {
    of(signature: string): Set<Node> {
      const nodes = bySignature.get(signature) ?? new Set();
      bySignature.delete(signature);
      bySignature.set(signature, nodes);
      const [oldest] = bySignature.keys();
      if (bySignature.size > ROOTS_REMEMBERED && oldest !== undefined) bySignature.delete(oldest);
      return nodes;
    },
  };
}
