import { isIP } from 'node:net';
import type { PasskeyAssertion, PasskeyRegistration } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers';
import { z } from 'zod';
import type { Passkey } from './domain/passkey.ts';

/** The WebAuthn relying party: `id` is a host name, and `origins` are the origins of its pages. */
export interface RelyingParty {
  id: string;
  origins: string[];
}

export const CHALLENGE_MS = 5 * 60_000;
/** EdDSA, ES256 and RS256. */
const ALGORITHMS = [-8, -7, -257];

const hostOf = (origin: string) => new URL(origin).hostname;

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  const isSecure = protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost');
  return origin === text && isSecure && isIP(hostname) === 0 && !hostname.startsWith('[');
}

function areBelowFirst([first = '', ...others]: readonly string[]): boolean {
  return others.every((origin) => `.${hostOf(origin)}`.endsWith(`.${hostOf(first)}`));
}

/** Reads the origins of operators' pages. The host of the first origin is the id of the relying party. */
export const operatorOrigins = z
  .string()
  .default('')
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .transform((entries) => entries.filter((entry) => entry !== ''))
  .refine((entries) => entries.every(isOrigin), {
    error:
      'must be origins such as https://operadores.example, separated by commas; no IP addresses, no paths',
    abort: true,
  })
  .refine(areBelowFirst, 'the host of each further origin must be the first host, or a subdomain of it')
  .transform(([first, ...others]): RelyingParty | null =>
    first === undefined ? null : { id: hostOf(first), origins: [first, ...others] },
  );

/** Throws PASSKEYS_NOT_CONFIGURED if the installation names no origins. */
export function requireRelyingParty(relyingParty: RelyingParty | null): RelyingParty {
  if (relyingParty) return relyingParty;
  const message = 'this installation takes no passkeys, because OPERATOR_ORIGINS is not set; use a code';
  throw new Refusal('conflict', 'PASSKEYS_NOT_CONFIGURED', message);
}

const descriptorOf = ({ credentialId, transports }: Passkey) => ({ id: credentialId, transports });

/** Returns options with which a browser makes a passkey. The operator's id is the user handle. */
export function creationOptions(
  { id: rpID }: RelyingParty,
  { id, email }: { id: string; email: string },
  passkeys: readonly Passkey[],
) {
  return generateRegistrationOptions({
    ...{ rpName: 'Plataforma', rpID, timeout: CHALLENGE_MS, attestationType: 'none' },
    ...{ userID: Uint8Array.from(Buffer.from(id)), userName: email, userDisplayName: email },
    excludeCredentials: passkeys.map(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** Returns options with which a browser asks one of these passkeys for an answer. */
export function requestOptions({ id: rpID }: RelyingParty, passkeys: readonly Passkey[]) {
  const allowCredentials = passkeys.map(descriptorOf);
  const timeout = CHALLENGE_MS;
  return generateAuthenticationOptions({ rpID, timeout, userVerification: 'required', allowCredentials });
}

const clientData = z.object({ challenge: z.string(), crossOrigin: z.literal(false).optional() });

/** Returns the challenge that an answer signs, or null if the answer is malformed or of an embedded page. */
export function challengeIn({ clientDataJSON }: { clientDataJSON: string }): Promise<string | null> {
  return orNull(() => clientData.parse(JSON.parse(isoBase64URL.toUTF8String(clientDataJSON))).challenge);
}

/** Verifies a browser's new passkey. Returns null if it is not valid for this challenge and relying party. */
export async function verifyRegistration(
  { id, origins }: RelyingParty,
  challenge: string,
  answer: PasskeyRegistration,
): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter'> | null> {
  const verified = await orNull(() => {
    refuseCertificates(answer.response);
    return verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} },
      ...{ expectedChallenge: challenge, expectedOrigin: origins, expectedRPID: id },
      supportedAlgorithmIDs: ALGORITHMS,
    });
  });
  if (!verified?.verified) return null;
  const { id: credentialId, publicKey, counter } = verified.registrationInfo.credential;
  return { credentialId, publicKey: Buffer.from(publicKey), counter };
}

/** Refuses certificates, because the verification of their chain may send requests to other hosts. */
function refuseCertificates({ attestationObject }: { attestationObject: string }): void {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const isPlain = ['none', 'packed'].includes(attestation.get('fmt'));
  if (!isPlain || attestation.get('attStmt').get('x5c')) throw new Error('the answer has a certificate');
}

/** Verifies the answer of a passkey. Returns its counter, or null if the answer is not valid. */
export async function verifyAssertion(
  { id, origins }: RelyingParty,
  challenge: string,
  { answer, passkey }: { answer: PasskeyAssertion; passkey: Passkey },
): Promise<number | null> {
  const { userHandle, ...response } = answer.response;
  if (userHandle !== undefined && userHandle !== isoBase64URL.fromUTF8String(passkey.operatorId)) return null;
  const verified = await orNull(() =>
    verifyAuthenticationResponse({
      response: { ...answer, response, clientExtensionResults: {} },
      ...{ expectedChallenge: challenge, expectedOrigin: origins, expectedRPID: id },
      // The caller compares the counters, because it records a counter that has gone back.
      credential: { id: passkey.credentialId, publicKey: Uint8Array.from(passkey.publicKey), counter: 0 },
    }),
  );
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
}

/** Returns null if `verify` throws, because the library throws for each fault of an answer. */
async function orNull<T>(verify: () => T | Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}
