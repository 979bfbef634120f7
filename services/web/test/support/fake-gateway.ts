import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listen } from '@plataforma/http';

interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

const ACCOUNT_ID = '01a20f4e-0de5-7de0-a438-00a9d18135c7';

/**
 * Starts a fake gateway that has sessions and records its requests. An access token is valid until it is
 * revoked.
 */
export async function startFakeGateway() {
  const requests: ReceivedRequest[] = [];
  const refreshTokens = new Set<string>();
  const accessTokens = new Set<string>();
  const answers = new Map<string, (request: ReceivedRequest) => Answer | Promise<Answer>>();
  const blockedRoutes = new Map<string, Promise<void>>();
  let counter = 0;
  let session: string | undefined;
  const issue = (kind: string, set: Set<string>) => {
    counter += 1;
    const payload = Buffer.from(JSON.stringify({ sid: session ?? `session-${counter}` })).toString(
      'base64url',
    );
    const token = `${kind}-${counter}.${payload}.`;
    set.add(token);
    return token;
  };
  const refusal = (status: number, code: string): Answer => ({
    status,
    body: { success: false, error: { code, message: code } },
  });
  const given = (data: unknown, status = 200): Answer => ({ status, body: { success: true, data } });

  answers.set('POST /v1/auth/login', ({ body }) => {
    const { password, email } = JSON.parse(body);
    if (password !== 'right') return refusal(401, 'INVALID_CREDENTIALS');
    const refreshToken = issue('refresh', refreshTokens);
    const accessToken = issue('access', accessTokens);
    return given({ accessToken, refreshToken, deviceToken: `device-of-${email.split('@')[0]}` });
  });
  answers.set('POST /v1/auth/refresh', ({ body }) => {
    if (!refreshTokens.has(JSON.parse(body).refreshToken)) return refusal(401, 'INVALID_REFRESH_TOKEN');
    return given({ accessToken: issue('access', accessTokens) });
  });
  answers.set('GET /v1/account', () => given({ id: ACCOUNT_ID, status: 'APPROVED' }));
  answers.set('POST /v1/auth/logout', () => {
    refreshTokens.clear();
    accessTokens.clear();
    return given({ message: 'ended' });
  });

  async function answerTo(request: ReceivedRequest): Promise<Answer> {
    const [path = ''] = request.path.split('?');
    const isOpen = /^\/v1\/auth\/(?:login|refresh|register)$/.test(path);
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (!isOpen && !/checkout$|\/payment-links\/|\/checkouts\//.test(path) && !accessTokens.has(token))
      return refusal(401, 'INVALID_TOKEN');
    const own = answers.get(`${request.method} ${path}`);
    return own ? own(request) : given({ path: request.path });
  }

  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const { method = '', url: path = '', headers } = req;
    const request = { method, path, headers, body: Buffer.concat(chunks).toString() };
    requests.push(request);
    await blockedRoutes.get(`${method} ${path}`);
    const answer = await answerTo(request);
    res.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    res.end(JSON.stringify(answer.body));
  });
  const { port } = await listen(server, '127.0.0.1', 0);

  return {
    url: `http://127.0.0.1:${port}`,
    requestsTo: (path: string) => requests.filter((request) => request.path.split('?')[0] === path),
    all: requests,
    given,
    refusal,
    /** Returns the access token for the answer to a log-in or a refresh. */
    accessToken: () => ({ accessToken: issue('access', accessTokens) }),
    /** Sets the session's id for the access tokens that are issued next. */
    nextSession(id?: string) {
      session = id;
    },
    answerOf(route: string) {
      const answer = answers.get(route);
      if (!answer) throw new Error(`the gateway has no answer to ${route}`);
      return answer;
    },
    answering(route: string, answer: (request: ReceivedRequest) => Answer | Promise<Answer>) {
      answers.set(route, answer);
    },
    giving: (route: string, data: unknown, status = 200) =>
      void answers.set(route, () => given(data, status)),
    refusing: (route: string, status: number, code: string) =>
      void answers.set(route, () => refusal(status, code)),
    /** Delays all answers of a route until the returned function is called. */
    block(route: string): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      blockedRoutes.set(route, promise);
      return () => {
        blockedRoutes.delete(route);
        resolve();
      };
    },
    /** Revokes all access tokens, which has the same effect as their expiry. */
    expireAccessTokens: () => accessTokens.clear(),
    endSessions() {
      accessTokens.clear();
      refreshTokens.clear();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
