import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createEventSigner, createEventVerifier, type EventKey, MOST_SIGNED_AT_ONCE } from '../src/index.ts';

function newKeys(id: string): { own: EventKey; published: EventKey } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { own: { id, key: privateKey }, published: { id, key: createPublicKey(privateKey) } };
}

const charges = newKeys('charges-1');
const withdrawals = newKeys('withdrawals-1');
const keys = new Map([
  ['charges', [charges.published]],
  ['withdrawals', [withdrawals.published]],
]);

const bodies = (count: number) => Array.from({ length: count }, (_, n) => Buffer.from(`{"amount":${2 * n}}`));
const type = 'charge.paid' as const;

function verdictsOf(
  all: readonly Buffer[],
  proofs: readonly unknown[],
  verifier = createEventVerifier(keys),
) {
  return all.map((body, index) => verifier.verdictOf({ body, type, proof: proofs[index] }));
}

describe('a signed batch of events', () => {
  test.each([1, 2, 3, 5, 8, 33, 500, 512])('has a valid proof for each of %s events', (count) => {
    const all = bodies(count);
    const proofs = createEventSigner('charges', charges.own).sign(all);

    expect(new Set(verdictsOf(all, proofs))).toEqual(new Set(['valid']));
    expect(
      new Set(all.toReversed().map((body, index) => verdictsOf([body], [proofs.toReversed()[index]])[0])),
    ).toEqual(new Set(['valid']));
  });

  test('has one signature and proofs of at most 512 bytes', () => {
    const proofs = createEventSigner('charges', charges.own).sign(bodies(500));

    expect(new Set(proofs.map((proof) => proof.split('.')[3])).size).toBe(1);
    expect(Math.max(...proofs.map(({ length }) => length))).toBeLessThanOrEqual(512);
  });

  test('has a maximum number of events', () => {
    const { sign: signAll } = createEventSigner('charges', charges.own);

    expect(signAll([])).toEqual([]);
    expect(() => signAll(bodies(MOST_SIGNED_AT_ONCE + 1))).toThrow(RangeError);
  });
});

describe('an event proof', () => {
  const all = bodies(5);
  const proofs = createEventSigner('charges', charges.own).sign(all);
  const [body = Buffer.alloc(0), other = Buffer.alloc(0)] = all;
  const [proof = '', proofOfOther = ''] = proofs;
  const [, , , , path = ''] = proof.split('.');

  test('is invalid for changed bytes or another event', () => {
    const verifier = createEventVerifier(keys);
    expect(verdictsOf(all, proofs, verifier)).not.toContain('invalid');

    for (let at = 0; at < body.length; at += 1) {
      const changed = Buffer.from(body);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(verifier.verdictOf({ body: changed, type, proof })).toBe('invalid');
    }
    expect(verdictsOf([other, body], [proof, proofOfOther])).toEqual(['invalid', 'invalid']);
  });

  test('is invalid with a changed, cut or longer path', () => {
    const bytes = Buffer.from(path, 'base64url');
    const withPath = (changed: Buffer) => proof.replace(path, changed.toString('base64url'));
    const changes = [...bytes.keys()].map((at) => {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      return changed;
    });
    const cut = [bytes.subarray(33), bytes.subarray(0, -33), bytes.subarray(1), Buffer.alloc(0)];
    const added = [Buffer.concat([bytes, Buffer.alloc(33)]), Buffer.alloc(33 * 10)];

    for (const changed of [...changes, ...cut, ...added])
      expect(verdictsOf([body], [withPath(changed)])).toEqual(['invalid']);
  });

  test.each([
    ['empty', ''],
    ['of another version', proof.replace('v1.', 'v2.')],
    ['of a producer without a key', proof.replace('.charges.', '.ledger.')],
    ['of an unknown key', proof.replace('charges-1', 'charges-2')],
    ['with an extra part', `${proof}.x`],
    ['without a path', proof.slice(0, proof.lastIndexOf('.'))],
    ['not a text', { proof }],
  ])('that is %s is invalid', (_what, wrong) => {
    expect(verdictsOf([body], [wrong])).toEqual(['invalid']);
  });

  test('is invalid from another producer than its event type’s', () => {
    const [byWithdrawals] = createEventSigner('withdrawals', withdrawals.own).sign([body]);
    const [inItsName] = createEventSigner('charges', withdrawals.own).sign([body]);
    const [renamed] = createEventSigner('charges', { ...withdrawals.own, id: 'charges-1' }).sign([body]);

    expect(verdictsOf([body, body, body], [byWithdrawals, inItsName, renamed])).toEqual([
      'invalid',
      'invalid',
      'invalid',
    ]);
  });

  test('is invalid over a root signed for another purpose', () => {
    const leaf = createHash('sha256')
      .update(Buffer.concat([Buffer.from('\0charges\0'), body]))
      .digest();
    const options = {
      key: createPrivateKey(charges.own.key.export({ format: 'pem', type: 'pkcs8' })),
      dsaEncoding: 'ieee-p1363' as const,
    };
    const proofOver = (text: Buffer) =>
      `v1.charges.charges-1.${sign('sha256', text, options).toString('base64url')}.`;

    expect(verdictsOf([body], [proofOver(leaf)])).toEqual(['invalid']);
    expect(
      verdictsOf([body], [proofOver(Buffer.concat([Buffer.from('plataforma.events.v1\0'), leaf]))]),
    ).toEqual(['valid']);
  });

  test('is invalid for an inner node of the tree', () => {
    const steps = Buffer.from(path, 'base64url');
    const leaf = createHash('sha256')
      .update(Buffer.concat([Buffer.from('\0charges\0'), body]))
      .digest();
    const node = Buffer.concat([leaf, steps.subarray(1, 33)]);
    const rest = proof.replace(path, steps.subarray(33).toString('base64url'));

    expect(verdictsOf([node], [rest])).toEqual(['invalid']);
  });
});

test('a missing proof is unsigned, an unknown producer’s is unchecked', () => {
  const [body = Buffer.alloc(0)] = bodies(1);
  const [proof] = createEventSigner('charges', charges.own).sign([body]);

  expect(verdictsOf([body, body], [undefined, null])).toEqual(['unsigned', 'unsigned']);
  expect(verdictsOf([body], [proof], createEventVerifier(new Map()))).toEqual(['unchecked']);
});

test('during a key rotation, proofs of both keys are valid', () => {
  const next = newKeys('charges-2');
  const both = createEventVerifier(new Map([['charges', [charges.published, next.published]]]));
  const all = bodies(3);

  for (const { own } of [charges, next])
    expect(verdictsOf(all, createEventSigner('charges', own).sign(all), both)).toEqual([
      'valid',
      'valid',
      'valid',
    ]);
});
