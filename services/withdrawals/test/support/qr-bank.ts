import { constants, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import { type Outbound, OutboundError } from '@plataforma/http';
import { dynamicCode } from './qr-codes.ts';

export const HOST = 'pix.banco.example';
export const KEYS_URL = `https://${HOST}/jwks.json`;
export const TXID = '7978c0c97ea847e78e8849634473c1f1';
export const PIX_KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';

export interface KeyPair {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export const newRsaKey = (modulusLength = 2048): KeyPair => generateKeyPairSync('rsa', { modulusLength });
export const newEcKey = (namedCurve: string): KeyPair => generateKeyPairSync('ec', { namedCurve });

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signatureOf(algorithm: string, signed: string, key: KeyObject): Buffer {
  const hash = `sha${algorithm.slice(2)}`;
  const data = Buffer.from(signed);
  if (algorithm.startsWith('ES')) return sign(hash, data, { key, dsaEncoding: 'ieee-p1363' });
  if (algorithm.startsWith('RS')) return sign(hash, data, key);
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return sign(hash, data, { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST });
}

/**
 * Returns a JWS in compact form. `signedAs` is the algorithm that really signs it, if the header names a
 * different one.
 */
export function jwsOf(
  header: Record<string, unknown>,
  payload: unknown,
  key: KeyObject,
  signedAs = header.alg,
) {
  const signed = `${base64url(header)}.${base64url(payload)}`;
  return `${signed}.${signatureOf(String(signedAs), signed, key).toString('base64url')}`;
}

/** Returns the payload of a charge that expires after one hour. */
export function cob(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    txid: TXID,
    revisao: 0,
    status: 'ATIVA',
    calendario: {
      criacao: new Date().toISOString(),
      apresentacao: new Date().toISOString(),
      expiracao: 3600,
    },
    valor: { original: '37.00' },
    chave: PIX_KEY,
    ...changes,
  };
}

type Served = string | Buffer | { status?: number; body?: string | Buffer; isCut?: boolean };

export interface FakeWeb extends Pick<Outbound, 'request'> {
  requests: { url: string; headers: Record<string, string> | undefined }[];
  serve(url: string, answer: Served): void;
}

/** Creates a fake HTTP client. A request to a URL that the test does not serve fails. */
function createFakeWeb(): FakeWeb {
  const served = new Map<string, Served>();
  const requests: FakeWeb['requests'] = [];
  return {
    requests,
    serve: (url, answer) => void served.set(url, answer),
    async request({ url, headers }) {
      requests.push({ url, headers });
      const answer = served.get(url);
      if (answer === undefined) throw new OutboundError('name_unresolved', 'the name has no address');
      const {
        status = 200,
        body = '',
        isCut = false,
      } = typeof answer === 'string' || Buffer.isBuffer(answer) ? { body: answer } : answer;
      return { status, headers: {}, body: Buffer.from(body), isCut };
    },
  };
}

let charges = 0;

/** Serves a charge at the bank's HOST and returns a QR code that leads to the charge. */
export function serveJws(web: FakeWeb, jws: Served): string {
  charges += 1;
  const location = `${HOST}/qr/v2/${charges}`;
  web.serve(`https://${location}`, jws);
  return dynamicCode(location);
}

export interface FakeBank {
  web: FakeWeb;
  key: KeyPair;
  header: Record<string, unknown>;
  /** Returns a signed charge, with this payload and these changes to the header. */
  jws(payload?: unknown, header?: Record<string, unknown>): string;
  /** Serves a signed charge and returns a QR code that leads to the charge. */
  code(payload?: unknown, header?: Record<string, unknown>): string;
  publish(...keys: (JsonWebKey | Record<string, unknown>)[]): void;
}

/** Creates a fake bank that signs charges with this key and publishes the key. */
export function createFakeBank(key: KeyPair = newEcKey('P-256'), alg = 'ES256'): FakeBank {
  const web = createFakeWeb();
  const header = { alg, kid: 'k1', jku: KEYS_URL, typ: 'JWS' };
  const publish: FakeBank['publish'] = (...keys) => web.serve(KEYS_URL, JSON.stringify({ keys }));
  publish({ ...key.publicKey.export({ format: 'jwk' }), kid: 'k1' });
  const jws = (payload: unknown = cob(), changes: Record<string, unknown> = {}) =>
    jwsOf({ ...header, ...changes }, payload, key.privateKey, alg);
  return {
    ...{ web, key, header, publish, jws },
    code: (payload, changes) => serveJws(web, jws(payload, changes)),
  };
}
