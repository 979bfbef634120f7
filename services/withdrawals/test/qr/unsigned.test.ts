import { afterAll, describe, expect, test } from '@jest/globals';
import { cob, createFakeBank, HOST, KEYS_URL, newRsaKey, serveJws } from '../support/qr-bank.ts';
import { decodeFrom, ELSEWHERE, ISSUER, stopDecoders, UNSIGNED } from '../support/qr-signed.ts';

const bank = createFakeBank(newRsaKey(), 'RS256');
afterAll(stopDecoders);

describe('an invalid header', () => {
  test.each([
    ['without a kid', { kid: undefined }],
    ['with an empty kid', { kid: '' }],
    ['with a kid that is not text', { kid: 1 }],
    ['without a jku', { jku: undefined }],
    ['with an overlong jku', { jku: `${KEYS_URL}?${'a'.repeat(2048)}` }],
    ['that requires an extension', { crit: ['exp'], exp: 1 }],
    ['that requires unencoded content', { crit: ['b64'], b64: false }],
    ['with an empty list of extensions', { crit: [] }],
    ['with a thumbprint that is not text', { x5t: 1 }],
  ])('%s is refused', async (_what, changes) => {
    expect(await decodeFrom(bank, bank.code(cob(), changes))).toMatchObject(UNSIGNED);
  });

  test.each([
    ['in plain HTTP', `http://${HOST}/jwks.json`],
    ['on another host', 'https://outro.example/jwks.json'],
    ['on the parent host', 'https://banco.example/jwks.json'],
    ['on a subdomain', `https://a.${HOST}/jwks.json`],
    ['on a host with a similar name', `https://${HOST}.outro.example/jwks.json`],
    ['on another port', `https://${HOST}:8443/jwks.json`],
    ['on another host after the bank’s name', `https://${HOST}@outro.example/jwks.json`],
    ['in a file', 'file:///etc/passwd'],
    ['in a data URL', 'data:application/json,{}'],
    ['at a relative address', 'jwks.json'],
    ['on a trusted issuer in plain HTTP', `http://${ISSUER}/jwks.json`],
    ['on a subdomain of a trusted issuer', `https://a.${ISSUER}/jwks.json`],
  ])('with keys %s is refused without a request for keys', async (_what, jku) => {
    const before = bank.web.requests.length;

    expect(await decodeFrom(bank, bank.code(cob(), { jku }))).toMatchObject(ELSEWHERE);
    expect(bank.web.requests.length).toBe(before + 1);
  });
});

describe('an unsigned answer', () => {
  const whole = () => bank.jws().split('.');

  test.each<[string, (segments: string[]) => string]>([
    ['empty', () => ''],
    ['a page', () => '<html>404</html>'],
    ['the charge alone', () => JSON.stringify(cob())],
    ['in two parts', ([head, content]) => `${head}.${content}`],
    ['in four parts', (segments) => [...segments, 'AA'].join('.')],
    ['in quotes', (segments) => JSON.stringify(segments.join('.'))],
    ['without its signature', ([head, content]) => `${head}.${content}.`],
    ['without its charge', ([head, , mark]) => `${head}..${mark}`],
    ['padded', ([head, content, mark]) => `${head}=.${content}.${mark}`],
    ['with a space inside', ([head, content, mark]) => `${head}. ${content}.${mark}`],
    ['in the other Base64 alphabet', ([head, content]) => `${head}.${content}.a+/a`],
    ['with excess bits', ([head, content, mark]) => `${head}.${content}.${mark}_`],
    ['with a header that is not JSON', ([, content, mark]) => `AAAA.${content}.${mark}`],
    ['with a header that is a list', ([, content, mark]) => `W10.${content}.${mark}`],
    ['with a header that is not UTF-8', ([, content, mark]) => `eyJhIjoi_yJ9.${content}.${mark}`],
  ])('is refused when it is %s', async (_what, spoil) => {
    expect(await decodeFrom(bank, serveJws(bank.web, spoil(whole())))).toMatchObject(UNSIGNED);
  });
});
