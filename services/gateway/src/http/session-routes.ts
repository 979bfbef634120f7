import { api, type SessionView } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { pageOf, type Router, serveTo } from '@plataforma/http';
import { type Clock, Refusal } from '@plataforma/kernel';
import { changePassword } from '../operations/change-password.ts';
import type { PasswordQueues } from '../passwords.ts';
import { endOtherSessions, endSession, type ListedSession, listSessions } from '../store/sessions.ts';
import type { Authenticate } from './authenticate.ts';
import { type LoginLimits, merchantTries } from './login-limits.ts';

export interface SessionParts {
  database: Database;
  passwords: PasswordQueues;
  clock: Clock;
  authenticate: Authenticate;
  loginLimits: LoginLimits;
}

export function sessionRoutes(router: Router, parts: SessionParts): void {
  const { database, clock, authenticate, loginLimits } = parts;
  const countTry = merchantTries(loginLimits);

  serveTo(router, api.changePassword, {
    authenticate: async (req) => ({
      session: await authenticate.session(req),
      countTry: (email: string) => countTry(req, email),
    }),
    answer: async ({ body }, { session, countTry }) => {
      await changePassword({ ...parts, countTry }, session, body);
      return { data: { message: 'the password is changed, and every other session is ended' } };
    },
  });
  serveTo(router, api.listSessions, {
    authenticate: authenticate.session,
    answer: async ({ query }, { id, userId }) =>
      pageOf(await listSessions(database, { userId, now: clock() }, query), query, viewFor(id)),
  });
  serveTo(router, api.endSession, {
    authenticate: authenticate.session,
    answer: async ({ params }, { userId }) => {
      const isEnded = await endSession(database, params.id, userId);
      if (!isEnded) throw new Refusal('missing', 'NOT_FOUND', 'there is no session with this id');
      return { data: { message: 'the session is ended' } };
    },
  });
  serveTo(router, api.endOtherSessions, {
    authenticate: authenticate.session,
    answer: async (_call, { id, userId }) => ({
      data: { ended: await endOtherSessions(database, userId, id) },
    }),
  });
}

function viewFor(currentId: string): (session: ListedSession) => SessionView {
  return ({ id, createdAt, lastUsedAt, expiresAt, address, userAgent }) => ({
    ...{ id, isCurrent: id === currentId, address, userAgent },
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  });
}
