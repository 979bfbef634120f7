import { api, type SessionView } from '@plataforma/contracts';
import { type AddressOf, type HttpRequest, headerOf, pageOf, type Router, serveTo } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { wordsOf } from '@plataforma/observe';
import type { GatewayDependencies } from '../dependencies.ts';
import { changePassword } from '../operations/change-password.ts';
import { type Client, endSession, endSessions, type ListedSession, listSessions } from '../store/sessions.ts';
import { merchantTries } from './login-limits.ts';
import { serveSession } from './serve.ts';

/** The number of characters of a user agent that are stored. They suffice to recognise a browser. */
const MOST_CHARACTERS = 300;

export function clientOf(req: HttpRequest, addressOf: AddressOf): Client {
  const userAgent = headerOf(req, 'user-agent')?.slice(0, MOST_CHARACTERS) ?? null;
  return { address: addressOf(req), userAgent: wordsOf(userAgent) };
}

export function sessionRoutes(router: Router, dependencies: GatewayDependencies): void {
  const { database, clock, authenticate, loginLimits, addressOf } = dependencies;
  const countTry = merchantTries(loginLimits);

  serveTo(router, api.changePassword, {
    authenticate: async (req) => {
      const session = await authenticate.session(req);
      const forSession = (email: string) => countTry(req, { email, sessionId: session.id });
      return { session, caller: { client: clientOf(req, addressOf), countTry: forSession } };
    },
    answer: async ({ body }, { session, caller }) => {
      const opened = await changePassword({ ...dependencies, ...caller }, session, body);
      return { data: { message: 'the password is changed, and every earlier session is ended', ...opened } };
    },
  });
  serveSession(router, api.listSessions, dependencies, async ({ query }, { id, userId }) =>
    pageOf(await listSessions(database, { userId, now: clock() }, query), query, viewFor(id)),
  );
  serveSession(router, api.endSession, dependencies, async ({ params }, { userId }) => {
    const isEnded = await endSession(database, params.id, userId);
    if (!isEnded) throw new Refusal('missing', 'NOT_FOUND', 'there is no session with this id');
    return { data: { message: 'the session is ended' } };
  });
  serveSession(router, api.endOtherSessions, dependencies, async (_call, { id, userId }) => ({
    data: { ended: (await endSessions(database, userId, id)).length },
  }));
}

export function viewFor(currentId: string | undefined): (session: ListedSession) => SessionView {
  return ({ id, createdAt, lastUsedAt, expiresAt, address, userAgent }) => ({
    ...{ id, isCurrent: id === currentId, address, userAgent },
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  });
}
