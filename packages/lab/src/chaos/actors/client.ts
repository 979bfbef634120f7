import { setTimeout as sleep } from 'node:timers/promises';
import { errors, FormData, type Pool } from 'undici';
import { z } from 'zod';
import { environmentOf, type History } from '../history.ts';
import type { Credentials } from './credentials.ts';
import type { Pace } from './pace.ts';

export interface Line {
  pool: Pool;
  history: History;
  pace: Pace;
}

export interface ClientRequest {
  /** The name of the action in the history, such as `create-charge`. */
  action: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: Record<string, unknown>;
  /** A file that is sent in a multipart form, together with the fields of the body. */
  file?: { name: string; bytes: Uint8Array<ArrayBuffer> };
  intent: string;
  /**
   * How to retry a request without a known outcome. `by key`: `intent` is the Idempotency-Key. `as it is`:
   * the request contains an id that makes a retry safe. `never`: a retry might have a second effect.
   */
  again: 'by key' | 'as it is' | 'never';
}

export type Thing = Record<string, unknown>;

export interface Answer {
  /** The HTTP status, or null when no complete response arrived. */
  status: number | null;
  isDone: boolean;
  /** `data` of the response if it is an object, or else an empty object. */
  data: Thing;
  /** `data` of the response if it is a list of objects, or else an empty list. */
  list: Thing[];
  code: string | null;
  /** The address of a new second factor, in the refusal of an operator's log-in. */
  otpauth: string | null;
}

export interface Client {
  /**
   * Sends a request. If the request's `again` allows retries, retries it until a final answer or the timeout.
   * Returns the last answer.
   */
  ask(request: ClientRequest): Promise<Answer>;
  read(action: string, path: string): Promise<Answer>;
  as(credentials: Credentials): Client;
}

/** Returns whether the platform has stored a proposal, which another operator must approve. */
export const isProposal = ({ status, data }: Answer) => status === 202 && data.status === 'PROPOSED';

const TIMEOUT_MS = 15_000;
/** The time limit for all attempts of one request together. */
const REPEAT_MS = 60_000;
const LONGEST_PAUSE_MS = 5_000;

const thing = z.record(z.string(), z.unknown());
const envelope = z.object({
  data: z.unknown().optional(),
  error: z.object({ code: z.string(), otpauth: z.string().optional() }).optional(),
});
let reads = 0;

/**
 * Returns a client that calls the platform as a correct integration does. It never throws for errors or
 * faults of the platform.
 */
export function clientOf(line: Line, actor: string, credentials: Credentials): Client {
  async function ask(request: ClientRequest): Promise<Answer> {
    const deadline = Date.now() + REPEAT_MS;
    for (let tries = 1; ; tries += 1) {
      const headers = credentials.headers();
      const { answer, retryAfterMs } = await attempt(line, { actor, headers, request });
      const isOutdated = answer.status === 401 || answer.code === 'SECOND_FACTOR_STALE';
      const isAnotherCaller = isOutdated && (await credentials.renew(headers));
      if (!isAnotherCaller && isFinal(answer, request)) return answer;
      if (Date.now() > deadline) return answer;
      await sleep(retryAfterMs ?? Math.min(100 * 2 ** tries, LONGEST_PAUSE_MS));
    }
  }

  return {
    ask,
    read(action, path) {
      reads += 1;
      return ask({ action, method: 'GET', path, intent: `read ${reads}`, again: 'as it is' });
    },
    as: (others) => clientOf(line, actor, others),
  };
}

function isFinal({ status, code }: Answer, { again }: ClientRequest): boolean {
  if (status === 429) return false;
  if (again === 'never') return true;
  return status !== null && status < 500 && code !== 'REQUEST_IN_PROGRESS';
}

interface Attempt {
  actor: string;
  headers: Record<string, string>;
  request: ClientRequest;
}

async function attempt({ pool, history, pace }: Line, { actor, headers, request }: Attempt) {
  const { action, intent, method, path, body = null, file = null } = request;
  const idempotencyKey = request.again === 'by key' ? intent : null;
  pace.spend();
  const startedAt = Date.now();
  const { status, text, retryAfterMs } = await send(pool, {
    method,
    path,
    headers: { ...headers, ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) },
    body,
    file,
  });
  const answer = jsonOf(text);
  const when = { startedAt, endedAt: Date.now() };
  const asking = { actor, ...environmentOf(headers), action, intent, method, path, idempotencyKey, body };
  history.record({ ...asking, ...when, status, answer });
  return { answer: answerOf(status, answer), retryAfterMs };
}

interface Sent extends Pick<ClientRequest, 'method' | 'path'> {
  headers: Record<string, string>;
  body: Thing | null;
  file: NonNullable<ClientRequest['file']> | null;
}

/**
 * Sends one attempt of a request. An incomplete response counts as no response. Throws only for a malformed
 * request.
 */
async function send(pool: Pool, { method, path, headers, body, file }: Sent) {
  try {
    const response = await pool.request({
      method,
      path,
      headers: { ...headers, ...(body && !file && { 'content-type': 'application/json' }) },
      body: file ? formOf(body ?? {}, file) : body && JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.body.text();
    const seconds = Number(response.headers['retry-after'] ?? Number.NaN);
    const retryAfterMs = Number.isNaN(seconds) ? null : Math.min(seconds * 1_000, LONGEST_PAUSE_MS);
    return { status: response.statusCode, text, retryAfterMs };
  } catch (error) {
    if (error instanceof errors.InvalidArgumentError) throw error;
    return { status: null, text: '', retryAfterMs: null };
  }
}

function formOf(fields: Thing, { name, bytes }: NonNullable<ClientRequest['file']>): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, String(value));
  form.set('file', new File([bytes], name));
  return form;
}

function jsonOf(text: string): Thing | null {
  try {
    return thing.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function answerOf(status: number | null, answer: Thing | null): Answer {
  const { data, error } = envelope.safeParse(answer).data ?? {};
  return {
    status,
    isDone: status !== null && status >= 200 && status < 300,
    data: thing.safeParse(data).data ?? {},
    list: z.array(thing).safeParse(data).data ?? [],
    code: error?.code ?? null,
    otpauth: error?.otpauth ?? null,
  };
}
