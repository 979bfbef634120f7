import { createHash, randomBytes } from 'node:crypto';
import { operatorRoles } from '@plataforma/contracts';
import { publicHalf, readToken, signToken, type TokenKey, tokenSigningKey } from '@plataforma/http';
import { newId, Refusal } from '@plataforma/kernel';
import jwt from 'jsonwebtoken';
import { z } from 'zod';

const ACCESS_LIFETIME_SECONDS = 15 * 60;
const DEVICE_LIFETIME_SECONDS = 180 * 24 * 60 * 60;
/** The name under which services know the gateway's keys, and the gateway those of other gateways. */
export const ISSUER = 'gateway';

const merchantClaims = z.object({ sid: z.uuid() });
const operatorClaims = z.object({
  sub: z.uuid(),
  role: z.enum(operatorRoles),
  /** The version of the operator's password for which the token was issued. */
  passwordVersion: z.int().default(0),
});

export type OperatorClaims = z.infer<typeof operatorClaims>;

const deviceClaims = z.object({ account: z.string(), device: z.uuid() });

export interface Account {
  realm: 'merchant' | 'operator';
  /** The e-mail in lower case. */
  email: string;
  /** The number of password changes of a merchant's user; each change ends the device tokens. */
  passwordVersion?: number;
}

/**
 * ES256 tokens whose audience differs by kind, so that none works in another's place. Access tokens last 15
 * minutes, device tokens 180 days. A device token proves an earlier log-in and grants no access.
 */
export interface Tokens {
  forSession(sessionId: string): string;
  /** Returns the session of a merchant's token. Throws TOKEN_EXPIRED or INVALID_TOKEN. */
  sessionOf(token: string): string;
  forOperator(claims: OperatorClaims): string;
  operatorOf(token: string): OperatorClaims;
  /** Issues a token for the device with this id, or for a new device. */
  forDevice(account: Account, device?: string | null): string;
  /** Returns the id of the device; null for an invalid or expired token, or one of another account. */
  deviceOf(token: string | undefined, account: Account): string | null;
}

/**
 * Signs with the gateway's own private key. Tokens of `otherKeys` are accepted too while the key changes:
 * those of replicas with the next key, and those signed with the previous one.
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
 * Returns the account's name in device tokens. Without a password change it equals that of release 0.6.0, so
 * that those tokens stay valid.
 */
function nameOf({ realm, email, passwordVersion = 0 }: Account): string {
  const version = passwordVersion === 0 ? '' : ` ${passwordVersion}`;
  return createHash('sha256').update(`${realm} ${email}${version}`).digest('base64url');
}

/** Creates a refresh token: 256 random bits. */
export function newRefreshToken(): string {
  return randomBytes(32).toString('base64url');
}
