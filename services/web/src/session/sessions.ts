import type { SecretBox } from '@plataforma/data';
import { type Clock, Refusal } from '@plataforma/kernel';
import type { Request, Response } from 'express';
import { cookieName, readCookie } from '../http/read-cookie.ts';
import { lifeOf, openSession, type Session, sealSession } from './cookie.ts';

export type Sessions = ReturnType<typeof createSessions>;

interface SessionDependencies {
  box: SecretBox;
  clock: Clock;
  isSecure: boolean;
}

const DEVICE_SECONDS = 180 * 24 * 60 * 60;

/** Stores sessions in sealed cookies. Sessions therefore need no table, and every replica can serve them. */
export function createSessions({ box, clock, isSecure }: SessionDependencies) {
  const nameOf = (name: string) => cookieName(name, isSecure);
  const now = () => clock().getTime();

  function set(res: Response, name: string, { value, seconds }: { value: string; seconds: number }): void {
    res.cookie(nameOf(name), value, {
      ...{ httpOnly: true, secure: isSecure, sameSite: 'strict', path: '/' },
      maxAge: seconds * 1_000,
    });
  }

  function save(res: Response, session: Session): void {
    set(res, 'session', { value: sealSession(box, session), seconds: lifeOf(session, now()) });
  }

  function find(req: Request): Session | undefined {
    const cookie = readCookie(req, nameOf('session'));
    return cookie === undefined ? undefined : openSession(box, cookie, now());
  }

  return {
    find,
    /** Throws UNAUTHORIZED when the request has no valid session. */
    require(req: Request): Session {
      const session = find(req);
      if (!session) throw new Refusal('unauthenticated', 'UNAUTHORIZED', 'log in first');
      return session;
    },
    begin: (res: Response, refreshToken: string) =>
      save(res, { refreshToken, startedAt: now(), seenAt: now() }),
    /** Stores the new refresh token in the cookie and in `session`. */
    renew(res: Response, session: Session, refreshToken: string): void {
      save(res, Object.assign(session, { refreshToken, seenAt: now() }));
    },
    end: (res: Response) => set(res, 'session', { value: '', seconds: 0 }),
    deviceOf: (req: Request) => readCookie(req, nameOf('device')),
    keepDevice: (res: Response, token: string) =>
      set(res, 'device', { value: token, seconds: DEVICE_SECONDS }),
  };
}
