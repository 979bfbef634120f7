import { setTimeout as sleep } from 'node:timers/promises';
import { totpCode, totpStepAt } from '@plataforma/kernel/totp';
import { z } from 'zod';

export interface OperatorLogin {
  email: string;
  password: string;
  /** The secret of the second factor in base32. The log-in that enrols the factor sets this field. */
  totpSecret?: string | null | undefined;
}

interface LogInAnswer {
  /** The access token of a success. */
  accessToken?: unknown;
  /** The error code of a refusal. */
  code?: string | null | undefined;
  otpauth?: string | null | undefined;
}

/** Sends the body of a log-in to `POST /v1/admin/auth/login`. */
type SendLogIn = (body: Record<string, string>) => Promise<LogInAnswer>;

const ATTEMPTS = 4;
const TIMEOUT_MS = 30_000;
/** The time for which a token is reused. Its second factor stays fresh longer, for five minutes. */
const REUSED_MS = 4 * 60_000;
const STEP_MS = 30_000;
const REPEATED_AFTER_MS = 500;

/**
 * Logs an operator in, and enrols the second factor if the operator has none. Tries another code if a code
 * was used before. Returns the access token, or null if the log-in is refused for another reason.
 */
export async function logInOperator(send: SendLogIn, login: OperatorLogin): Promise<string | null> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { email, password, totpSecret } = login;
    const otp = totpSecret ? { otp: await unusedCode(totpSecret) } : {};
    const { accessToken, code, otpauth } = await send({ email, password, ...otp });
    if (typeof accessToken === 'string') return accessToken;
    if (otpauth) login.totpSecret = secretIn(otpauth);
    else if (code !== 'INVALID_SECOND_FACTOR') return null;
  }
  return null;
}

/** The last step whose code this process has used, by secret. */
const usedSteps = new Map<string, number>();

/** Returns a code that this process has not used yet. If all valid codes are used, waits for the next. */
async function unusedCode(secret: string): Promise<string> {
  const step = Math.max((usedSteps.get(secret) ?? 0) + 1, totpStepAt(new Date()) - 1);
  usedSteps.set(secret, step);
  // The gateway accepts a code from one step before its time.
  await sleep(Math.max(0, (step - 1) * STEP_MS - Date.now()));
  return totpCode(secret, step);
}

const tokens = new WeakMap<OperatorLogin, { baseUrl: string; until: number; token: Promise<string> }>();

/** Returns an operator's access token with a fresh second factor. Logs in at most once in four minutes. */
export function operatorToken(baseUrl: string, login: OperatorLogin): Promise<string> {
  const cached = tokens.get(login);
  if (cached?.baseUrl === baseUrl && Date.now() < cached.until) return cached.token;
  const token = logInOperator((body) => postLogIn(baseUrl, body), login).then((accessToken) => {
    if (accessToken !== null) return accessToken;
    throw new Error(`${login.email} can't log in as an operator`);
  });
  tokens.set(login, { baseUrl, until: Date.now() + REUSED_MS, token });
  token.catch(() => tokens.delete(login));
  return token;
}

/**
 * Returns the operator with a new secret for the second factor. The first log-in with a code of this secret
 * enrols the factor. Returns the operator unchanged if it has a secret or can't enrol one.
 */
export async function withSecondFactor<Login extends OperatorLogin>(
  baseUrl: string,
  login: Login,
): Promise<Login> {
  const { email, password, totpSecret } = login;
  if (totpSecret) return login;
  const { otpauth } = await postLogIn(baseUrl, { email, password });
  return otpauth ? { ...login, totpSecret: secretIn(otpauth) } : login;
}

/**
 * Returns the body of a log-in with the code of the next 30 seconds. A code works once, so a second body
 * within 30 seconds is refused.
 */
export function bodyOfLogIn({ email, password, totpSecret }: OperatorLogin): Record<string, string> {
  const otp = totpSecret ? { otp: totpCode(totpSecret, totpStepAt(new Date()) + 1) } : {};
  return { email, password, ...otp };
}

const envelope = z.object({
  data: z.object({ accessToken: z.string() }).optional(),
  error: z.object({ code: z.string(), otpauth: z.string().optional() }).optional(),
});

/** Sends a log-in. Retries after a 503, because the gateway then did not compare the password. */
async function postLogIn(baseUrl: string, body: Record<string, string>): Promise<LogInAnswer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  for (;;) {
    const response = await fetch(`${baseUrl}/v1/admin/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
    const { data, error } = envelope.parse(await response.json());
    if (response.status !== 503) return { ...data, ...error };
    await sleep(REPEATED_AFTER_MS, undefined, { signal });
  }
}

function secretIn(otpauth: string): string | null {
  return new URL(otpauth).searchParams.get('secret');
}
