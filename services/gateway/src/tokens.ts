import { createHash, randomBytes } from 'node:crypto';
import { operatorRoles } from '@plataforma/contracts';
import { publicHalf, readToken, signToken, type TokenKey, tokenSigningKey } from '@plataforma/http';
import { newId, Refusal } from '@plataforma/kernel';
import jwt from 'jsonwebtoken';
import { z } from 'zod';

const ACCESS_LIFETIME_SECONDS = 15 * 60;
const DEVICE_LIFETIME_SECONDS = 180 * 24 * 60 * 60;
/** The name of the gateway's keys. Services and other gateways verify tokens with the keys of this name. */
export const ISSUER = 'gateway';

const merchantClaims = z.object({ sid: z.uuid() });
const operatorClaims = z.object({
  sub: z.uuid(),
  role: z.enum(operatorRoles),
  /** The number of password changes of the operator when the token was issued. */
  passwordVersion: z.int().default(0),
  /** The id of the session. A token of release 0.6.0 has none. */
  sid: z.uuid().optional(),
  /** The time of the last second factor, in milliseconds since 1970. */
  factorAt: z.int().nullable().default(null),
});

export type OperatorClaims = z.infer<typeof operatorClaims>;
/** The claims of an operator with a session. */
export type OperatorSession = OperatorClaims & { sid: string };

const deviceClaims = z.object({ account: z.string(), device: z.uuid() });

export interface Account {
  realm: 'merchant' | 'operator';
  /** The e-mail address in lower case. */
  email: string;
  /** The number of password changes of the user. Each change makes older device tokens invalid. */
  passwordVersion?: number;
}

/**
 * Issues and reads ES256 tokens. Each kind has its own audience, so that no kind is accepted as another.
 * Access tokens last 15 minutes, and device tokens 180 days. A device token only proves an earlier log-in.
 */
export interface Tokens {
  forSession(sessionId: string): string;
  /** Returns the id of the session of a merchant's token. Throws TOKEN_EXPIRED or INVALID_TOKEN. */
  sessionOf(token: string): string;
  forOperator(claims: OperatorClaims): string;
  operatorOf(token: string): OperatorClaims;
  /** Issues a token for the device with this id. Without an id, the token is for a new device. */
  forDevice(account: Account, device?: string | null): string;
  /** Returns the id of the device. Returns null if the token is invalid, expired, or of another account. */
  deviceOf(token: string | undefined, account: Account): string | null;
}

/**
 * Signs tokens with the gateway's own private key. Accepts `otherKeys` too while the key is being replaced:
 * the next key, which other replicas use, and the previous key.
 */
export function createTokens(privateKey: string, otherKeys: readonly TokenKey[] = []): Tokens {
  const key = tokenSigningKey(privateKey);
  const keys = [publicHalf(key), ...otherKeys];
  const sign = (claims: object, audience: string, expiresIn = ACCESS_LIFETIME_SECONDS) =>
    signToken(claims, key, { issuer: ISSUER, audience, expiresIn });

  function read<T extends z.ZodType>(token: string, audience: string, claims: T): z.infer<T> {
    try {
      return claims.parse(readToken(token, keys, { issuer: ISSUER, audience }));
    } catch (error) {
      if (error instanceof jwt.TokenExpiredError) {
        throw new Refusal('unauthenticated', 'TOKEN_EXPIRED', 'the access token has expired: refresh it');
      }
      throw new Refusal('unauthenticated', 'INVALID_TOKEN', 'the access token is not valid');
    }
  }

  return {
    forSession: (sid) => sign({ sid }, 'merchants'),
    sessionOf: (token) => read(token, 'merchants', merchantClaims).sid,
    forOperator: (claims) => sign(claims, 'operators'),
    operatorOf: (token) => read(token, 'operators', operatorClaims),
    forDevice: (account, device) =>
      sign({ account: nameOf(account), device: device ?? newId() }, 'devices', DEVICE_LIFETIME_SECONDS),
    deviceOf(token, account) {
      if (!token) return null;
      try {
        const { device, account: its } = read(token, 'devices', deviceClaims);
        return its === nameOf(account) ? device : null;
      } catch {
        return null;
      }
    },
  };
}

/**
 * Returns the name of the account in device tokens. Without a password change it is the name that release
 * 0.6.0 used, so that tokens of that release stay valid.
 */
function nameOf({ realm, email, passwordVersion = 0 }: Account): string {
  const version = passwordVersion === 0 ? '' : ` ${passwordVersion}`;
  return createHash('sha256').update(`${realm} ${email}${version}`).digest('base64url');
}

/** Creates a refresh token of 256 random bits. */
export function newRefreshToken(): string {
  return randomBytes(32).toString('base64url');
}
