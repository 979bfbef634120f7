import { operatorToken, type PlatformFacts } from '@plataforma/testing';
import { z } from 'zod';
import { type Call, environmentOf, type History } from './history.ts';

/**
 * Sends a request and returns `data` of a success, or the first item if `data` is a list. Throws for any
 * other response and at the timeout.
 */
export type Caller = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

interface CallerOptions {
  timeoutMs?: number;
  /** The history that records the calls under the name `actor`. Without a value, no history records them. */
  witness?: { history: History; actor: string };
}

const thing = z.record(z.string(), z.unknown());
const success = z.object({ data: z.union([thing, z.array(thing).transform(([first]) => first ?? {})]) });

export function callerOf(
  baseUrl: string,
  credentials: Record<string, string>,
  { timeoutMs = 5_000, witness }: CallerOptions = {},
): Caller {
  return async (method, path, body) => {
    const isForm = body instanceof FormData;
    const startedAt = Date.now();
    let outcome: Pick<Call, 'status' | 'answer'> = { status: null, answer: null };
    try {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { ...(!isForm && { 'content-type': 'application/json' }), ...credentials },
        ...(body && { body: isForm ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      outcome = { status: response.status, answer: jsonIn(text) };
      if (!response.ok)
        throw new Error(`${method} ${path} answered ${outcome.status}: ${text.slice(0, 200)}`);
      return success.parse(outcome.answer).data;
    } finally {
      const sent = isForm ? {} : body;
      const idempotencyKey = credentials['idempotency-key'] ?? null;
      const sentRequest = { method, path, idempotencyKey, body: sent ? thing.parse(sent) : null };
      const when = { startedAt, endedAt: Date.now() };
      if (witness) record(witness, { ...environmentOf(credentials), ...sentRequest, ...when, ...outcome });
    }
  };
}

type RecordedCall = Omit<Call, 'number' | 'actor' | 'action' | 'intent'>;

/** Records a call in the history. Calls with the same externalId or Idempotency-Key have the same intent. */
function record({ history, actor }: Required<CallerOptions>['witness'], recorded: RecordedCall): void {
  const { method, body, idempotencyKey } = recorded;
  const intent = String(idempotencyKey ?? body?.externalId ?? `call ${history.calls.length + 1}`);
  history.record({
    actor,
    action: `${actor.replaceAll(' ', '-')}-${method.toLowerCase()}`,
    intent,
    ...recorded,
  });
}

function jsonIn(text: string): Call['answer'] {
  try {
    return thing.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Logs in as the first operator, which every platform has from its first start. */
export async function operatorOf(
  { baseUrl, operator }: Pick<PlatformFacts, 'baseUrl' | 'operator'>,
  options: CallerOptions = {},
): Promise<Caller> {
  const accessToken = await operatorToken(baseUrl, operator);
  return callerOf(baseUrl, { authorization: `Bearer ${accessToken}` }, options);
}
