import { api } from '@plataforma/contracts';
import { hasBody } from '@plataforma/http';
import { localPath, Refusal } from '@plataforma/kernel';
import express, { type Request, type Response, type Router } from 'express';
import { z } from 'zod';
import type { WebDependencies } from '../dependencies.ts';
import { type Gateway, type GatewayReply, refusalIn } from '../gateway.ts';
import { hasEnded, sessionIdIn } from '../session/access-tokens.ts';
import type { Session } from '../session/cookie.ts';
import { asOwner } from './as-owner.ts';
import { callerHeaders, passHeaders } from './forwarded-headers.ts';
import { inPoolSlot, untilClosed } from './in-pool-slot.ts';

const BODY_LIMIT = '10kb';
const FORM = 'application/x-www-form-urlencoded';

const credentials = z.object({ email: z.string().max(320), password: z.string().max(1_024) });
const opened = z.object({
  data: z.object({ accessToken: z.string(), refreshToken: z.string(), deviceToken: z.string().optional() }),
});

/**
 * Returns whether the request is a log-in with an HTML form, as a browser without the dashboard's script
 * sends it.
 */
export function isLoginForm(req: Request): boolean {
  return req.method === 'POST' && req.path === '/api/session' && isForm(req);
}

const isForm = (req: Request) => req.is(FORM) === FORM;

/**
 * Serves registration, log-in, account, log-out and password change. No answer to the browser contains a
 * token.
 */
export function sessionRoutes(app: Router, dependencies: WebDependencies): void {
  const read = [
    express.json({ limit: BODY_LIMIT }),
    express.urlencoded({ extended: false, limit: BODY_LIMIT }),
  ];
  app.post('/api/session', ...read, (req, res) => (isForm(req) ? byForm : byScript)(dependencies, req, res));
  app.get('/api/session', (req, res) => showAccount(dependencies, req, res));
  app.delete('/api/session', (req, res) => logOut(dependencies, req, res));
  app.post(`/api${api.register.path}`, ...read, (req, res) => register(dependencies, req, res));
  app.post(`/api${api.changePassword.path}`, ...read, (req, res) => changePassword(dependencies, req, res));
}

async function byScript(dependencies: WebDependencies, req: Request, res: Response): Promise<void> {
  answerWithoutTokens(res, await logIn(dependencies, req, res), 'logged in');
}

function answerWithoutTokens(res: Response, { status, body, headers }: GatewayReply, message: string): void {
  if (status === 200) return void res.json({ success: true, data: { message } });
  passHeaders(res, { 'retry-after': headers['retry-after'] });
  res.status(status).json(body);
}

/** Logs in with an HTML form and redirects, so that a reload does not send the password again. */
async function byForm(dependencies: WebDependencies, req: Request, res: Response): Promise<void> {
  const next = localPath(new URLSearchParams(req.body).get('next') ?? '') ?? '/';
  const { status, body } = await logIn(dependencies, req, res).catch(asAnswer);
  if (status === 200) return res.redirect(303, next);
  const code = refusalIn(body).code || 'SERVICE_UNAVAILABLE';
  const base = /^\/test(?:[/?]|$)/.test(next) ? '/test' : '';
  res.redirect(303, `${base}/login?${new URLSearchParams({ refused: code, next })}`);
}

/**
 * Converts a refusal to an answer with the refusal's code. `byForm` passes this code to the log-in form,
 * which shows it.
 */
function asAnswer(error: unknown) {
  if (!(error instanceof Refusal)) throw error;
  return { status: 0, body: { error: { code: error.code } } };
}

/** Registers an account. Ends the session that the gateway opens, because the page logs in afterwards. */
async function register(dependencies: WebDependencies, req: Request, res: Response): Promise<void> {
  const headers = { ...callerHeaders(dependencies.addressOf, req, res), 'content-type': 'application/json' };
  const signal = untilClosed(res);
  const { status, body } = await inPoolSlot(dependencies, 'logIns', req, async (gateway) => {
    const sent = { headers, body: JSON.stringify(req.body ?? {}), signal };
    const answer = await gateway.ask({ method: 'POST', path: api.register.path, ...sent });
    passHeaders(res, { 'retry-after': answer.headers['retry-after'] });
    const token = opened.safeParse(answer.body).data?.data.accessToken;
    if (token !== undefined) await endSession(gateway, { ...headers, authorization: `Bearer ${token}` });
    return answer;
  });
  res.status(status).json(status === 201 ? { success: true, data: { message: 'registered' } } : body);
}

/** Ends a session whose tokens no browser has. If this fails, the session ends after its lifetime. */
async function endSession(gateway: Gateway, headers: Record<string, string>): Promise<void> {
  await gateway.ask({ method: 'POST', path: api.logOut.path, headers }).catch(() => undefined);
}

async function logIn(dependencies: WebDependencies, req: Request, res: Response) {
  const { sessions, addressOf } = dependencies;
  const given = credentials.safeParse(req.body);
  if (!given.success) throw new Refusal('invalid', 'VALIDATION_ERROR', 'email, password: are missing');
  const device = sessions.deviceOf(req);
  const headers = {
    ...callerHeaders(addressOf, req, res),
    ...(device === undefined ? {} : { 'x-device-token': device }),
    'content-type': 'application/json',
  };
  const body = JSON.stringify(given.data);
  const signal = untilClosed(res);
  const answer = await inPoolSlot(dependencies, 'logIns', req, (gateway) =>
    gateway.ask({ method: 'POST', path: '/v1/auth/login', headers, body, signal }),
  );
  return beginSession(dependencies, res, answer);
}

function beginSession(
  { sessions, accessTokens }: WebDependencies,
  res: Response,
  answer: GatewayReply,
): GatewayReply {
  if (answer.status !== 200) return answer;
  const tokens = opened.safeParse(answer.body).data?.data;
  if (!tokens) throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'try again shortly');
  sessions.begin(res, tokens.refreshToken);
  accessTokens.save(tokens.refreshToken, tokens.accessToken);
  if (tokens.deviceToken) sessions.keepDevice(res, tokens.deviceToken);
  return answer;
}

/**
 * Changes the password. The gateway then ends all sessions of the user, and a new session begins in this
 * browser.
 */
async function changePassword(dependencies: WebDependencies, req: Request, res: Response): Promise<void> {
  const session = dependencies.sessions.require(req);
  const body = JSON.stringify(req.body ?? {});
  const request = { method: 'POST', path: api.changePassword.path, body } as const;
  const answer = beginSession(dependencies, res, await asOwner(dependencies, { req, res, session }, request));
  if (answer.status === 200) dependencies.accessTokens.forget(session.refreshToken);
  answerWithoutTokens(res, answer, 'the password is changed');
}

async function showAccount(dependencies: WebDependencies, req: Request, res: Response): Promise<void> {
  const session = dependencies.sessions.require(req);
  const { status, body } = await asOwner(
    dependencies,
    { req, res, session },
    { method: 'GET', path: '/v1/account' },
  );
  dependencies.tenants.cache(session, body);
  res.status(status).json(body);
}

/** Ends the session in the browser even if the gateway fails. The page still receives the gateway's error. */
async function logOut(dependencies: WebDependencies, req: Request, res: Response): Promise<void> {
  if (hasBody(req)) throw new Refusal('invalid', 'VALIDATION_ERROR', 'body: DELETE takes none');
  const session = dependencies.sessions.find(req);
  try {
    if (session) await endAtGateway(dependencies, { req, res, session });
  } finally {
    // The cookie is deleted last, because a token refresh before this line also sets the session cookie.
    dependencies.sessions.end(res);
  }
  res.json({ success: true, data: { message: 'the session is ended' } });
}

async function endAtGateway(
  dependencies: WebDependencies,
  own: { req: Request; res: Response; session: Session },
): Promise<void> {
  const { accessTokens, live, addressOf } = dependencies;
  const { req, res, session } = own;
  try {
    const token = await accessTokens.tokenOf(session, res, callerHeaders(addressOf, req, res));
    await asOwner(dependencies, own, { method: 'POST', path: '/v1/auth/logout' });
    live.endSession(sessionIdIn(token));
  } catch (error) {
    if (!hasEnded(error)) throw error;
  }
  accessTokens.forget(session.refreshToken);
}
