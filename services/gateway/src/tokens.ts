import { createHash, randomBytes } from 'node:crypto';
import { operatorRoles } from '@plataforma/contracts';
import { publicHalf, readToken, signToken, type TokenKey, tokenSigningKey } from '@plataforma/http';
import { newId, Refusal } from '@plataforma/kernel';
import jwt from 'jsonwebtoken';
import { z } from 'zod';

const ACCESS_LIFETIME_SECONDS = 15 * 60;
const DEVICE_LIFETIME_SECONDS = 180 * 24 * 60 * 60;
/** Under this name the other services know the gateway’s keys, and it the keys that other gateways sign with. */
export const ISSUER = 'gateway';

const merchantClaims = z.object({ sid: z.uuid() });
const operatorClaims = z.object({
  sub: z.uuid(),
  role: z.enum(operatorRoles),
  /** The version of the operator’s password that it was issued for. */
  passwordVersion: z.int().default(0),
});

export type OperatorClaims = z.infer<typeof operatorClaims>;

const deviceClaims = z.object({ account: z.string(), device: z.uuid() });

/** The account that a log-in opens. */
export interface Account {
  realm: 'merchant' | 'operator';
  /** In lower case. */
  email: string;
  /** The number of password changes of a merchant's user; each change ends the tokens of devices. */
  passwordVersion?: number;
}

/**
 * ES256, told apart by audience so that none works in another's place. Access tokens are good for 15 minutes. A device's
 * token, for 180 days, says that this account was logged in to with it before, and opens nothing.
 */
export interface Tokens {
  forSession(sessionId: string): string;
  /** The session a merchant's token belongs to. Refuses with TOKEN_EXPIRED or INVALID_TOKEN. */
  sessionOf(token: string): string;
  forOperator(claims: OperatorClaims): string;
  operatorOf(token: string): OperatorClaims;
  /** For the device that brought this id, or for a new one. */
  forDevice(account: Account, device?: string | null): string;
  /** The id of the device; null when the token is none, has expired, or belongs to another account. */
  deviceOf(token: string | undefined, account: Account): string | null;
}

/**
 * Signs with the gateway’s own private key. While that key changes, tokens of `otherKeys` are taken as well: those of
 * replicas that have the next one already, and those given under the one before.
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

/** Without a change the name is that of release 0.6.0. */
function nameOf({ realm, email, passwordVersion = 0 }: Account): string {
  const version = passwordVersion === 0 ? '' : ` ${passwordVersion}`;
  return createHash('sha256').update(`${realm} ${email}${version}`).digest('base64url');
}

/** A refresh token: 256 random bits that mean nothing to anybody but the sessions table. */
export function newRefreshToken(): string {
  return randomBytes(32).toString('base64url');
}
