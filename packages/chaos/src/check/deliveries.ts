import { createHmac } from 'node:crypto';
import type { Call } from '../history.ts';
import { acknowledged } from './calls.ts';
import { type Databases, type Evidence, type Received, rowsOf } from './evidence.ts';
import { doubled, type Finding, lost, violation } from './finding.ts';

/** After each attempt but the last one of those six that every schedule begins with. */
const WAITS_MS = [2_000, 4_000, 8_000, 16_000, 32_000];
/** For longer no process of a run stands still. */
const STANDSTILL_MS = 60_000;
/** The shop and the database read the same clock, and not at the same moment. */
const TOLERANCE_MS = 100;

type Attempt = { number: number; at: number; ended_at: number; status: number | null };

type Delivery = {
  id: string;
  configuration: string;
  status: string;
  schedule: string;
  path: string;
  is_active: boolean;
  body: string;
  counted: number;
  attempts: Attempt[];
};

const DELIVERIES = `
  SELECT d.id, d.configuration_id AS configuration, d.status, d.attempts AS counted, c.retry_schedule AS schedule,
    substring(c.url FROM '^[a-z]+://[^/]+([^?#]*)') AS path, c.is_active, e.body,
    coalesce((SELECT jsonb_agg(jsonb_build_object('number', a.number, 'status', a.status_code,
        'at', extract(epoch FROM a.at) * 1000, 'ended_at', extract(epoch FROM a.at) * 1000 + a.duration_ms)
      ORDER BY a.number) FROM delivery_attempts a WHERE a.delivery_id = d.id), '[]') AS attempts
  FROM deliveries d JOIN configurations c ON c.id = d.configuration_id JOIN events e ON e.id = d.event_id`;

/**
 * 7. Who has asked for an event gets it: the same bytes under the same id, rightly signed, until there is a 2xx, six
 * times at most, each after its wait.
 *
 * A shop may see a delivery once more after its own 2xx: if that answer was lost, or its sender died before writing it
 * down; or if a sender stood still after claiming it, until somebody else had sent it, and then went on. Nothing comes
 * later than a sender can stand still, and nothing that comes after a success is ever counted.
 */
export async function checkDeliveries(evidence: Evidence): Promise<Finding[]> {
  const { databases, calls, received } = evidence;
  const deliveries = await rowsOf<Delivery>(databases.webhooks, DELIVERIES);
  const edited = editedConfigurations(calls);
  const secrets = secretsOf(calls);
  const known = new Set(deliveries.map(({ id }) => id));
  const receivedOf = Map.groupBy(received, ({ id }) => id);
  return [
    ...(await findMissing(databases, calls)),
    ...received
      .filter(({ id }) => !known.has(id))
      .map(({ id, configurationPath }) =>
        violation(7, `${configurationPath} received ${id}, which is no delivery`),
      ),
    ...deliveries.flatMap((delivery) => {
      const own = receivedOf.get(delivery.id) ?? [];
      const isEdited = edited.has(delivery.configuration);
      const due = { isEdited, secrets: secrets.get(delivery.configuration) };
      return [
        ...checkAttempts(delivery, due),
        ...own.flatMap((one) => checkReceived(one, delivery, due)),
        ...checkEnd(delivery, own),
        ...checkWaits(delivery, own),
      ];
    }),
  ];
}

interface Due {
  /** Then its deliveries may have been for another URL, on another schedule, and given up for the time it was off. */
  isEdited: boolean;
  /** All that its configuration has had; undefined: one of them is not known. */
  secrets: readonly string[] | undefined;
}

function checkAttempts(
  { id, status, schedule, counted, attempts, is_active }: Delivery,
  { isEdited }: Due,
): Finding[] {
  const most = schedule === 'extended' || isEdited ? 11 : 6;
  const successes = attempts.filter(isTaken);
  const numbers = attempts.map(({ number }) => number);
  const what = `delivery ${id}, ${status} after attempts ${numbers}`;
  const findings: Finding[] = [];
  if (numbers.length > most) findings.push(violation(7, `${what}: more than ${most}`));
  if (numbers.some((number, index) => number !== index + 1) || counted !== numbers.length)
    findings.push(violation(7, `${what}: they are not counted right`));
  if (successes.length > 1 || (successes[0] && successes[0] !== attempts.at(-1)))
    findings.push(doubled(7, `${what}: it was sent on after a 2xx`));
  if ((status === 'SUCCEEDED') !== successes.length > 0)
    findings.push(violation(7, `${what}: a 2xx, and only that, is its success`));
  if (status === 'FAILED' && numbers.length < most && is_active && !isEdited)
    findings.push(lost(7, `${what}: it was given up too early`));
  return findings;
}

const isTaken = ({ status }: { status: number | null }) => status !== null && status >= 200 && status < 300;

function checkReceived(one: Received, { id, body, path }: Delivery, { isEdited, secrets }: Due): Finding[] {
  const findings: Finding[] = [];
  if (one.body.toString() !== body)
    findings.push(violation(7, `delivery ${id} came with other bytes than its event`));
  if (!isEdited && one.configurationPath !== path)
    findings.push(violation(10, `delivery ${id} is for ${path}, and came to ${one.configurationPath}`));
  if (secrets && !secrets.some((secret) => one.signature === signatureOf(one.body, secret)))
    findings.push(violation(7, `delivery ${id} came without a signature of its configuration`));
  if (secrets && !one.isSigned)
    findings.push(violation(7, `delivery ${id} came without a right signature of Standard Webhooks`));
  return findings;
}

function signatureOf(body: Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** What the platform calls a success a shop has said; and after it nothing comes any more. */
function checkEnd({ id, attempts }: Delivery, received: readonly Received[]): Finding[] {
  const success = attempts.find(isTaken);
  if (!success) return [];
  // What a shop did not answer to the end may have looked like a 2xx.
  if (!received.some((one) => one.status === null || isTaken(one)))
    return [lost(7, `delivery ${id} is a success that no shop knows of`)];
  const isTheOne = ({ at }: Received) =>
    at > success.at - TOLERANCE_MS && at < success.ended_at + TOLERANCE_MS;
  // Where none is the one, the sender's clock was wrong.
  if (!received.some(isTheOne)) return [];
  return received
    .filter(({ at }) => at > success.ended_at + STANDSTILL_MS)
    .map(({ at }) =>
      doubled(7, `delivery ${id} came again ${Math.round(at - success.ended_at)} ms after its success`),
    );
}

/**
 * By the shop's clock. Where each attempt has come to the shop, and nothing else, each wait is looked at; else only that they are
 * not shorter all together. An attempt that may never have come says nothing of when.
 */
function checkWaits({ id, attempts }: Delivery, received: readonly Received[]): Finding[] {
  const hasCome = attempts.every(({ status }) => status !== null);
  if (!hasCome || received.length < attempts.length || attempts.length < 2) return [];
  const waits = WAITS_MS.slice(0, attempts.length - 1);
  const times = received.map(({ at }) => at);
  const isExact = received.length === attempts.length;
  const gaps = isExact
    ? waits.map((wait, index) => ({ wait, was: (times[index + 1] ?? 0) - (times[index] ?? 0) }))
    : [{ wait: waits.reduce((sum, wait) => sum + wait, 0), was: (times.at(-1) ?? 0) - (times[0] ?? 0) }];
  return gaps
    .filter(({ wait, was }) => was < wait - TOLERANCE_MS)
    .map(({ wait, was }) => violation(7, `delivery ${id} came again after ${was} ms instead of ${wait}`));
}

const CONFIGURATION = /^\/v1\/webhook-config\/([^/]+)$/;
const ROTATION = /^\/v1\/webhook-config\/([^/]+)\/rotate-secret$/;

/** Since when each configuration has been edited, or may have been. */
function editedConfigurations(calls: readonly Call[]): Map<string, number> {
  const edits = calls.flatMap(({ method, path, startedAt }) => {
    const id = CONFIGURATION.exec(path)?.[1];
    return id && method !== 'GET' ? [[id, startedAt] as const] : [];
  });
  // The first one counts, which is the last one to be written.
  return new Map(edits.toSorted(([, left], [, right]) => right - left));
}

function secretsOf(calls: readonly Call[]): Map<string, string[] | undefined> {
  const secrets = new Map<string, string[] | undefined>();
  for (const { call, data } of acknowledged(calls)) {
    if (call.method !== 'POST' || !call.path.startsWith('/v1/webhook-config')) continue;
    if (typeof data.id !== 'string' || typeof data.secret !== 'string') continue;
    secrets.set(data.id, [...(secrets.get(data.id) ?? []), data.secret]);
  }
  // Without an answer it may have been done; by the same key it is told in the end.
  const heard = new Set(acknowledged(calls).map(({ call }) => call.idempotencyKey));
  for (const { path, status, idempotencyKey } of calls) {
    const id = ROTATION.exec(path)?.[1];
    const isUnclear = status === null || status >= 500;
    if (id && isUnclear && (idempotencyKey === null || !heard.has(idempotencyKey)))
      secrets.set(id, undefined);
  }
  return secrets;
}

/** An event that was stored so long before an edit, or after a creation, met the configuration as it was. */
const MARGIN_MS = 60_000;

type Match = { event: string; configuration: string; at: number; created_at: number; count: number };

/** What each configuration wants of its merchant's events, and how often it was queued for it. */
const MATCHES = `
  SELECT e.id AS event, c.id AS configuration, extract(epoch FROM e.created_at)::float8 * 1000 AS at,
    extract(epoch FROM c.created_at)::float8 * 1000 AS created_at,
    (SELECT count(*) FROM deliveries d WHERE (d.event_id, d.configuration_id) = (e.id, c.id)) AS count
  FROM events e JOIN configurations c ON (c.merchant_id, c.environment) = (e.merchant_id, e.environment)
  WHERE e.type <> 'webhook.test' AND (c.events = '{}' OR e.type = ANY (c.events))`;

async function findMissing({ webhooks }: Databases, calls: readonly Call[]): Promise<Finding[]> {
  const edited = editedConfigurations(calls);
  const answeredAt = new Map(
    acknowledged(calls)
      .filter(({ call }) => call.method === 'POST' && call.path === '/v1/webhook-config')
      .map(({ call, data }) => [String(data.id), call.endedAt]),
  );
  return (await rowsOf<Match>(webhooks, MATCHES)).flatMap(
    ({ event, configuration, at, created_at, count }) => {
      if (count > 1) return [doubled(7, `event ${event} was queued ${count} times for ${configuration}`)];
      const since = answeredAt.get(configuration) ?? created_at + MARGIN_MS;
      const until = (edited.get(configuration) ?? Number.POSITIVE_INFINITY) - MARGIN_MS;
      if (count === 1 || at < since || at > until) return [];
      return [lost(7, `event ${event} was never queued for ${configuration}, which wants it`)];
    },
  );
}
