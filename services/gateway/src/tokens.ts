import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { operatorRoles } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import jwt from 'jsonwebtoken';
import { z } from 'zod';

const ACCESS_LIFETIME_SECONDS = 15 * 60;
const ALGORITHM = 'ES256';
const ISSUER = 'gateway';

const merchantClaims = z.object({ sid: z.uuid() });
const operatorClaims = z.object({ sub: z.uuid(), role: z.enum(operatorRoles) });

export type OperatorClaims = z.infer<typeof operatorClaims>;

/** Access tokens: ES256, 15 minutes, told apart by audience so that neither works in the other's place. */
export interface Tokens {
  forSession(sessionId: string): string;
  /** The session a merchant's token belongs to. Refuses with TOKEN_EXPIRED or INVALID_TOKEN. */
  sessionOf(token: string): string;
  forOperator(claims: OperatorClaims): string;
  operatorOf(token: string): OperatorClaims;
}

export function createTokens(privateKey: string): Tokens {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key);
  const sign = (claims: object, audience: string) =>
    jwt.sign(claims, key, {
      algorithm: ALGORITHM,
      issuer: ISSUER,
      audience,
      expiresIn: ACCESS_LIFETIME_SECONDS,
    });

  function read<T extends z.ZodType>(token: string, audience: string, claims: T): z.infer<T> {
    try {
      return claims.parse(
        jwt.verify(token, publicKey, { algorithms: [ALGORITHM], issuer: ISSUER, audience }),
      );
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
  };
}

/** A refresh token: 256 random bits that mean nothing to anybody but the sessions table. */
export function newRefreshToken(): string {
  return randomBytes(32).toString('base64url');
}
