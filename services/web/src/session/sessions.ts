import type { SecretBox } from '@plataforma/data';
import { type Clock, Refusal } from '@plataforma/kernel';
import type { Request, Response } from 'express';
import { cookieName, readCookie } from '../http/read-cookie.ts';
import { lifeOf, openSession, type Session, sealSession } from './cookie.ts';

export interface Sessions {
  /** Throws UNAUTHORIZED without one. */
  demand(req: Request): Session;
  find(req: Request): Session | undefined;
  begin(res: Response, refreshToken: string): void;
  /** Saves the token that a refresh has answered, in `session` too. */
  renew(res: Response, session: Session, refreshToken: string): void;
  end(res: Response): void;
  deviceOf(req: Request): string | undefined;
  keepDevice(res: Response, token: string): void;
}

interface SessionParts {
  box: SecretBox;
  clock: Clock;
  isSecure: boolean;
}

const DEVICE_SECONDS = 180 * 24 * 60 * 60;

/** Sessions live in sealed cookies: no table, any number of replicas. */
export function createSessions({ box, clock, isSecure }: SessionParts): Sessions {
  const nameOf = (name: string) => cookieName(name, isSecure);
  const now = () => clock().getTime();

  function set(res: Response, name: string, { value, seconds }: { value: string; seconds: number }): void {
    res.cookie(nameOf(name), value, {
      ...{ httpOnly: true, secure: isSecure, sameSite: 'strict', path: '/' },
      maxAge: seconds * 1_000,
    });
  }

  function keep(res: Response, session: Session): void {
    set(res, 'session', { value: sealSession(box, session), seconds: lifeOf(session, now()) });
  }

  function find(req: Request): Session | undefined {
    const cookie = readCookie(req, nameOf('session'));
    return cookie === undefined ? undefined : openSession(box, cookie, now());
  }

  return {
    find,
    demand(req) {
      const session = find(req);
      if (!session) throw new Refusal('unauthenticated', 'UNAUTHORIZED', 'log in first');
      return session;
    },
    begin: (res, refreshToken) => keep(res, { refreshToken, startedAt: now(), seenAt: now() }),
    renew(res, session, refreshToken) {
      keep(res, Object.assign(session, { refreshToken, seenAt: now() }));
    },
    end: (res) => set(res, 'session', { value: '', seconds: 0 }),
    deviceOf: (req) => readCookie(req, nameOf('device')),
    keepDevice: (res, token) => set(res, 'device', { value: token, seconds: DEVICE_SECONDS }),
  };
}
