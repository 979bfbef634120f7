import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Call } from '../history.ts';
import { type Acknowledged, acknowledged, isDone, nameOfCall } from './calls.ts';
import { type Databases, rowsOf } from './evidence.ts';
import { doubled, type Finding, violation } from './finding.ts';

/**
 * Compares the responses of retries. Responses to the same Idempotency-Key must be equal. Responses to the
 * same externalId must contain the same id.
 */
export function compareAnswers(calls: readonly Call[]): Finding[] {
  const posted = acknowledged(calls).filter(
    ({ call }) => call.method === 'POST' && isNamed(call) && !isOpen(call),
  );
  const ofIntent = Map.groupBy(posted, ({ call }) => `${call.actor} ${call.intent} ${call.path}`);
  return [
    ...[...ofIntent.values()].flatMap(([first, ...others]) =>
      others.flatMap((other) => (first ? compareSuccesses(first, other) : [])),
    ),
    ...[...byKey(calls).values()].flatMap(compareRefusals),
  ];
}

function compareSuccesses(first: Acknowledged, { call, data }: Acknowledged): Finding[] {
  const what = `${nameOfCall(call)} was answered otherwise than ${nameOfCall(first.call)}`;
  if (data.id !== first.data.id) return [doubled(5, `${what}: ${data.id} and ${first.data.id}`)];
  if (call.idempotencyKey === null || call.idempotencyKey !== first.call.idempotencyKey) return [];
  const isSame = call.status === first.call.status && isDeepStrictEqual(call.answer, first.call.answer);
  return isSame ? [] : [violation(5, what)];
}

function isNamed({ idempotencyKey, body }: Call): boolean {
  return idempotencyKey !== null || typeof body?.externalId === 'string' || typeof body?.id === 'string';
}

function byKey(calls: readonly Call[]): Map<string, Call[]> {
  const keyed = calls.filter(({ method, idempotencyKey }) => method === 'POST' && idempotencyKey !== null);
  return Map.groupBy(keyed, ({ actor, path, idempotencyKey }) => `${actor} ${path} ${idempotencyKey}`);
}

interface FinalRefusal {
  path: RegExp;
  code: string;
  service: 'charges' | 'withdrawals';
  /**
   * SQL for the Idempotency-Keys that contradict the refusal: the key's object exists and was not refused,
   * declined or abandoned.
   */
  alive: string;
}

/**
 * Refusals that are a final outcome for their Idempotency-Key. After any other refusal, a retry may succeed.
 */
const finalRefusals: readonly FinalRefusal[] = [
  {
    path: /^\/v1\/withdrawals$/,
    code: 'INSUFFICIENT_BALANCE',
    service: 'withdrawals',
    alive: aliveIn('withdrawals', "('REFUSED', 'ABANDONED')"),
  },
  {
    path: /^\/v1\/charges$/,
    code: 'CARD_DECLINED',
    service: 'charges',
    alive: aliveIn('charges', "('DECLINED')"),
  },
  {
    path: /^\/v1\/charges\/[^/]+\/refund$/,
    code: 'INSUFFICIENT_BALANCE',
    service: 'charges',
    alive: aliveIn('refunds', "('REFUSED')"),
  },
];

function aliveIn(table: string, ended: string): string {
  return `SELECT k.key, concat('${table} ', t.id, ' ', t.status) AS what
    FROM idempotency_keys k JOIN ${table} t ON t.id = k.begun_id WHERE t.status NOT IN ${ended}`;
}

const failure = z.object({ error: z.object({ code: z.string() }) });

function codeOf({ answer }: Call): string | undefined {
  return failure.safeParse(answer).data?.error.code;
}

function isFinalRefusal(call: Call): boolean {
  const code = codeOf(call);
  return finalRefusals.some((refusal) => refusal.path.test(call.path) && refusal.code === code);
}

/**
 * Compares the responses to one Idempotency-Key. After a success or a final refusal, every other outcome is a
 * violation.
 */
function compareRefusals(calls: readonly Call[]): Finding[] {
  const [first] = calls.filter(isOutcome).toSorted((left, right) => left.endedAt - right.endedAt);
  if (!first) return [];
  const isOther = (call: Call) => call.status !== first.status || codeOf(call) !== codeOf(first);
  const later = calls.filter((call) => isOutcome(call) || (isFinal(call) && call.startedAt > first.endedAt));
  return later
    .filter((call) => isOther(call) && !(isDone(call) && isDone(first)))
    .map((call) =>
      violation(
        5,
        `${nameOfCall(call)} was answered ${call.status}, and ${nameOfCall(first)} ${first.status}`,
      ),
    );
}

const isOpen = (call: Call) => call.status === 202;

const isOutcome = (call: Call) => (isDone(call) && !isOpen(call)) || isFinalRefusal(call);

/**
 * Returns whether a response decides the request. Responses about authentication, rate limits, timeouts and
 * requests in progress do not.
 */
function isFinal(call: Call): boolean {
  const { status } = call;
  if (status === null || status >= 500 || [202, 401, 408, 429].includes(status)) return false;
  return codeOf(call) !== 'REQUEST_IN_PROGRESS';
}

/** Finds objects that exist although a final refusal was the answer for their Idempotency-Key. */
export async function findDoneThoughRefused(
  databases: Databases,
  calls: readonly Call[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { path, code, service, alive } of finalRefusals) {
    const rows = await rowsOf<{ key: string; what: string }>(databases[service], alive);
    const aliveOf = new Map(rows.map(({ key, what }) => [key, what]));
    for (const call of calls) {
      const what = call.idempotencyKey !== null && aliveOf.get(call.idempotencyKey);
      if (what && path.test(call.path) && codeOf(call) === code)
        findings.push(violation(5, `${nameOfCall(call)} was refused with ${code}, and there is ${what}`));
    }
  }
  return findings;
}
