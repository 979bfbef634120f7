import { api, type SessionView } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { type HttpRequest, pageOf, type Router, serveTo } from '@plataforma/http';
import { type Clock, Refusal } from '@plataforma/kernel';
import { changePassword } from '../operations/change-password.ts';
import type { PasswordQueues } from '../passwords.ts';
import { type Client, endSession, endSessions, type ListedSession, listSessions } from '../store/sessions.ts';
import type { Tokens } from '../tokens.ts';
import type { Authenticate } from './authenticate.ts';
import { type LoginLimits, merchantTries } from './login-limits.ts';

export interface SessionParts {
  database: Database;
  passwords: PasswordQueues;
  tokens: Tokens;
  clock: Clock;
  authenticate: Authenticate;
  loginLimits: LoginLimits;
  clientOf: (req: HttpRequest) => Client;
}

export function sessionRoutes(router: Router, parts: SessionParts): void {
  const { database, clock, authenticate, loginLimits, clientOf } = parts;
  const countTry = merchantTries(loginLimits);

  serveTo(router, api.changePassword, {
    authenticate: async (req) => {
      const session = await authenticate.session(req);
      const forSession = (email: string) => countTry(req, { email, sessionId: session.id });
      return { session, caller: { client: clientOf(req), countTry: forSession } };
    },
    answer: async ({ body }, { session, caller }) => {
      const opened = await changePassword({ ...parts, ...caller }, session, body);
      return { data: { message: 'the password is changed, and every earlier session is ended', ...opened } };
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
      data: { ended: (await endSessions(database, userId, id)).length },
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
