import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const RP_ID = 'operadores.plataforma.test';
export const ORIGIN = `https://${RP_ID}`;

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** The parts of an answer that a test may falsify. */
export interface Answering {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: unknown;
  flags?: number;
  counter?: number;
  userHandle?: string;
  crossOrigin?: boolean;
  /** Returns the attestation of a new passkey, whose own key is `ownKey`, over the bytes `signed`. */
  attest?: (signed: Buffer, ownKey: KeyObject) => { fmt: string; attStmt: Map<string, unknown> };
}

type Options = Record<string, unknown> | undefined;
export type Authenticator = ReturnType<typeof newAuthenticator>;

const base64url = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64url');

const hashOf = (text: string) => createHash('sha256').update(Buffer.from(text, 'base64url')).digest();

/** An authenticator with one key pair (ES256). It returns its answers in the form that browsers send. */
export function newAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const idBytes = randomBytes(16);
  const id = base64url(idBytes);
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const point = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
  const coseKey = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      ...([[1, 2], [3, -7], [-1, 1]] as const), // biome-ignore format: one line
      [-2, point(x)],
      [-3, point(y)],
    ]),
  );
  const credential = { id, rawId: id, type: 'public-key' as const };

  function clientData(type: string, options: Options, answering: Answering): string {
    const { origin = ORIGIN, challenge = options?.challenge, crossOrigin = false } = answering;
    return base64url(JSON.stringify({ type: answering.type ?? type, challenge, origin, crossOrigin }));
  }

  function authenticatorData(
    { rpId = RP_ID, flags = PRESENT | VERIFIED, counter = 0 }: Answering,
    more?: Buffer,
  ) {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const rpIdHash = createHash('sha256').update(rpId).digest();
    const allFlags = Buffer.from([more ? flags | HAS_CREDENTIAL : flags]);
    return Buffer.concat([rpIdHash, allFlags, count, more ?? Buffer.alloc(0)]);
  }

  return {
    id,
    register(options: Options, answering: Answering = {}) {
      const length = Buffer.from([0, idBytes.length]);
      const more = Buffer.concat([Buffer.alloc(16), length, idBytes, coseKey]);
      const authData = new Uint8Array(authenticatorData(answering, more));
      const clientDataJSON = clientData('webauthn.create', options, answering);
      const signed = Buffer.concat([authData, hashOf(clientDataJSON)]);
      const { fmt, attStmt } = answering.attest?.(signed, privateKey) ?? { fmt: 'none', attStmt: new Map() };
      const attestationObject = base64url(
        isoCBOR.encode(
          new Map<string, never>(Object.entries({ fmt, attStmt, authData }) as [string, never][]),
        ),
      );
      return { ...credential, response: { clientDataJSON, attestationObject, transports: ['internal'] } };
    },
    answer(options: Options, answering: Answering = {}) {
      const clientDataJSON = clientData('webauthn.get', options, answering);
      const data = authenticatorData(answering);
      const signed = Buffer.concat([data, hashOf(clientDataJSON)]);
      const signature = base64url(sign('sha256', signed, privateKey));
      const { userHandle } = answering;
      const response = { clientDataJSON, authenticatorData: base64url(data), signature, userHandle };
      return { ...credential, response };
    },
  };
}
