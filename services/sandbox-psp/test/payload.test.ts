import { describe, expect, test } from '@jest/globals';
import { compactVerify, createLocalJWKSet } from 'jose';
import { z } from 'zod';
import { createCharge, order, pay, problem, problemIn, send, sharedBankWorld } from './bank.ts';
import { cobPayload } from './published-shapes.ts';

const bank = sharedBankWorld();

const publicKey = z.strictObject({
  kty: z.literal('RSA'),
  n: z.string(),
  e: z.string(),
  kid: z.string(),
  alg: z.literal('RS256'),
  use: z.literal('sig'),
  key_ops: z.tuple([z.literal('verify')]),
});
const jwks = z.strictObject({ keys: z.array(publicKey) });

const read = (location: string) => send(`http://${location}`, {});

async function verified(jws: string) {
  const { body } = await send(`${bank.url}/.well-known/jwks.json`, {});
  const keys = jwks.parse(body);
  const { payload, protectedHeader } = await compactVerify(jws, createLocalJWKSet(keys));
  return {
    header: protectedHeader,
    payload: cobPayload.parse(JSON.parse(new TextDecoder().decode(payload))),
  };
}

describe('the payload behind a QR code', () => {
  test('is a JWS that the published keys verify', async () => {
    const { location } = await createCharge(bank);
    const answer = await read(location);
    const { header } = await verified(answer.text);

    expect(answer).toMatchObject({ status: 200, type: 'application/jose' });
    const jku = `${bank.url}/.well-known/jwks.json`;
    expect(header).toEqual({ alg: 'RS256', kid: expect.any(String), jku, typ: 'JWS' });
  });

  test('contains the charge and the time of the request', async () => {
    const { location, txid, calendario } = await createCharge(bank);
    const requestedAt = Date.now();
    const { payload } = await verified((await read(location)).text);

    const apresentacao = expect.any(String);
    expect(payload).toEqual({
      ...order,
      txid,
      revisao: 0,
      status: 'ATIVA',
      calendario: { ...calendario, apresentacao },
    });
    const shownAt = Date.parse(payload.calendario.apresentacao);
    expect(shownAt).toBeGreaterThanOrEqual(requestedAt);
    expect(shownAt).toBeLessThanOrEqual(Date.now());
  });

  test('shows a revision at the same location', async () => {
    const { location, txid } = await createCharge(bank);
    await bank.call('PATCH', `/v2/cob/${txid}`, { valor: { original: '99.90' } });

    const { payload } = await verified((await read(location)).text);

    expect(payload).toMatchObject({ revisao: 1, valor: { original: '99.90' } });
  });

  test('is still served after the charge has expired', async () => {
    const { location } = await createCharge(bank, { ...order, calendario: { expiracao: 1 } });
    await new Promise((resolve) => setTimeout(resolve, 1_100));

    expect((await verified((await read(location)).text)).payload.status).toBe('ATIVA');
  });

  test('is gone after the charge is paid or removed', async () => {
    const paid = await createCharge(bank);
    const removed = await createCharge(bank);
    await pay(bank, paid.txid);
    await bank.call('PATCH', `/v2/cob/${removed.txid}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });

    const answers = await Promise.all([read(paid.location), read(removed.location)]);

    expect(answers.map(problemIn)).toEqual(Array(2).fill(problem(410, 'CobPayloadNaoEncontrado')));
  });

  test.each(['a'.repeat(22), 'short', '%01'])('is not found under the unknown token %s', async (token) => {
    const { location } = await createCharge(bank);
    const answer = await read(location.replace(/[^/]+$/, token));

    expect(problemIn(answer)).toEqual(problem(404, 'CobPayloadNaoEncontrado'));
  });

  test('needs no access token and sets no cookie', async () => {
    const { location } = await createCharge(bank);
    const { headers } = await fetch(`http://${location}`);

    expect([headers.get('set-cookie'), headers.get('www-authenticate')]).toEqual([null, null]);
  });
});
