import { createHmac } from 'node:crypto';
import type { Call } from '../history.ts';
import { acknowledged } from './calls.ts';
import { editsOf, pathsOf } from './edits.ts';
import { type Evidence, type Received, rowsOf } from './evidence.ts';
import { doubled, type Finding, lost, violation } from './finding.ts';
import { findMissing } from './queued.ts';

/** The waits between the first six attempts of a delivery. Every retry schedule begins with these waits. */
const WAITS_MS = [2_000, 4_000, 8_000, 16_000, 32_000];
const LEASE_MS = 20_000;
/** The longest time for which a run stops a process. */
const STANDSTILL_MS = 60_000;
/**
 * The tolerance for times. The merchant's server and the database read the same clock at slightly different
 * moments.
 */
const TOLERANCE_MS = 100;

type Attempt = { number: number; at: number; ended_at: number; status: number | null };

type Delivery = {
  id: string;
  configuration: string;
  status: string;
  schedule: string;
  path: string;
  is_active: boolean;
  created_at: number;
  body: string;
  counted: number;
  attempts: Attempt[];
};

const DELIVERIES = `
  SELECT d.id, d.configuration_id AS configuration, d.status, d.attempts AS counted,
  c.retry_schedule AS schedule,
    substring(c.url FROM '^[a-z]+://[^/]+([^?#]*)') AS path, c.is_active, e.body,
    extract(epoch FROM d.created_at)::float8 * 1000 AS created_at,
    coalesce((SELECT jsonb_agg(jsonb_build_object('number', a.number, 'status', a.status_code,
        'at', extract(epoch FROM a.at) * 1000, 'ended_at', extract(epoch FROM a.at) * 1000 + a.duration_ms)
      ORDER BY a.number) FROM delivery_attempts a WHERE a.delivery_id = d.id), '[]') AS attempts
  FROM deliveries d JOIN configurations c ON c.id = d.configuration_id JOIN events e ON e.id = d.event_id`;

/**
 * Invariant 7. Checks that each webhook receives every subscribed event, unchanged and with a right
 * signature, and that the attempts follow the retry schedule. A server may get a delivery again after its 2xx
 * if the sender stopped, or if the response or its record was lost. Such a duplicate must arrive within the
 * longest stop.
 */
export async function checkDeliveries(evidence: Evidence): Promise<Finding[]> {
  const { databases, calls, received, interruptions = 0 } = evidence;
  const deliveries = await rowsOf<Delivery>(databases.webhooks, DELIVERIES);
  const edits = editsOf(calls);
  const paths = pathsOf(calls);
  const secrets = secretsOf(calls);
  const deliveryIds = new Set(deliveries.map(({ id }) => id));
  const receivedOf = Map.groupBy(received, ({ id }) => id);
  return [
    ...(await findMissing(databases, calls)),
    ...received
      .filter(({ id }) => !deliveryIds.has(id))
      .map(({ id, configurationPath }) =>
        violation(7, `${configurationPath} received ${id}, which is no delivery`),
      ),
    ...deliveries.flatMap((delivery) => {
      const came = receivedOf.get(delivery.id) ?? [];
      const own = edits.get(delivery.configuration) ?? [];
      const due = {
        isPaused: own.some(({ kinds }) => kinds.has('isActive')),
        isRescheduled: own.some(({ kinds }) => kinds.has('retrySchedule')),
        paths: own.some(({ kinds }) => kinds.has('url'))
          ? paths.get(delivery.configuration)
          : new Set([delivery.path]),
        secrets: secrets.get(delivery.configuration),
      };
      return [
        ...checkAttempts(delivery, due),
        ...came.flatMap((one) => checkReceived(one, delivery, due)),
        ...checkFlood(delivery, came, interruptions),
        ...checkEnd(delivery, came),
        ...checkWaits(delivery, came),
      ];
    }),
  ];
}

interface Due {
  /**
   * True if the webhook was turned off or deleted at some time. The service may then have given up deliveries
   * early.
   */
  isPaused: boolean;
  /**
   * True if the webhook's retry schedule was changed. Its deliveries may then follow the short schedule (6
   * attempts) or the extended schedule (11 attempts).
   */
  isRescheduled: boolean;
  /** All paths that the webhook's URL has had, or undefined if one of them is unknown. */
  paths: ReadonlySet<string> | undefined;
  /** All secrets that the webhook has had, or undefined if one of them is unknown. */
  secrets: readonly string[] | undefined;
}

function checkAttempts(
  { id, status, schedule, counted, attempts, is_active }: Delivery,
  { isPaused, isRescheduled }: Due,
): Finding[] {
  const most = schedule === 'extended' || isRescheduled ? 11 : 6;
  const least = isRescheduled ? 6 : most;
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
  if (status === 'FAILED' && numbers.length < least && is_active && !isPaused)
    findings.push(lost(7, `${what}: it was given up too early`));
  return findings;
}

const isTaken = ({ status }: { status: number | null }) => status !== null && status >= 200 && status < 300;

function checkReceived(one: Received, { id, body }: Delivery, { paths, secrets }: Due): Finding[] {
  const findings: Finding[] = [];
  if (one.body.toString() !== body)
    findings.push(violation(7, `delivery ${id} came with other bytes than its event`));
  if (paths && !paths.has(one.configurationPath))
    findings.push(violation(10, `delivery ${id} is for ${[...paths]}, and came to ${one.configurationPath}`));
  if (secrets && !secrets.some((secret) => one.signature === signatureOf(one.body, secret)))
    findings.push(violation(7, `delivery ${id} came without a signature of its configuration`));
  if (secrets && !one.isSigned)
    findings.push(violation(7, `delivery ${id} came without a right signature of Standard Webhooks`));
  return findings;
}

function signatureOf(body: Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/**
 * Checks that the number of duplicates can be explained. Each ended lease and each interruption of a sender
 * explains one, because the sender may not have recorded its attempt.
 */
function checkFlood(
  { id, attempts, created_at }: Delivery,
  received: readonly Received[],
  interruptions: number,
): Finding[] {
  const last = Math.max(created_at, ...received.map(({ at }) => at));
  const leases = Math.ceil((last - created_at) / LEASE_MS);
  const most = attempts.length + leases + interruptions;
  if (received.length <= most) return [];
  const what = `delivery ${id} came ${received.length} times, of ${attempts.length} attempts`;
  return [doubled(7, `${what}, while ${leases} leases could end: more than ${most} can’t be explained`)];
}

/**
 * Checks that the merchant's server has sent the 2xx of a successful delivery, and that no attempt followed.
 */
function checkEnd({ id, attempts }: Delivery, received: readonly Received[]): Finding[] {
  const success = attempts.find(isTaken);
  if (!success) return [];
  // A response that broke off may have looked like a 2xx to the platform, so it counts too.
  if (!received.some((one) => one.status === null || isTaken(one)))
    return [lost(7, `delivery ${id} is a success that no shop knows of`)];
  const isTheOne = ({ at }: Received) =>
    at > success.at - TOLERANCE_MS && at < success.ended_at + TOLERANCE_MS;
  // If the shop received no request at the time of the successful attempt, the sender's clock was wrong. Its
  // times then can't be compared with the shop's.
  if (!received.some(isTheOne)) return [];
  return received
    .filter(({ at }) => at > success.ended_at + STANDSTILL_MS)
    .map(({ at }) =>
      doubled(7, `delivery ${id} came again ${Math.round(at - success.ended_at)} ms after its success`),
    );
}

/**
 * Checks the waits between arrivals by the clock of the merchant's server, or only their sum if arrivals are
 * duplicated. Checks nothing if an attempt got no response, because the attempt may not have arrived.
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

const ROTATION = /^\/v1\/webhook-config\/([^/]+)\/rotate-secret$/;

function secretsOf(calls: readonly Call[]): Map<string, string[] | undefined> {
  const secrets = new Map<string, string[] | undefined>();
  for (const { call, data } of acknowledged(calls)) {
    if (call.method !== 'POST' || !call.path.startsWith('/v1/webhook-config')) continue;
    if (typeof data.id !== 'string' || typeof data.secret !== 'string') continue;
    secrets.set(data.id, [...(secrets.get(data.id) ?? []), data.secret]);
  }
  // A rotation without a response may still have taken effect. The webhook then has a secret that this check
  // does not know, unless a repeated request with the same key returned the secret.
  const acknowledgedKeys = new Set(acknowledged(calls).map(({ call }) => call.idempotencyKey));
  for (const { path, status, idempotencyKey } of calls) {
    const id = ROTATION.exec(path)?.[1];
    const isUnclear = status === null || status >= 500;
    if (id && isUnclear && (idempotencyKey === null || !acknowledgedKeys.has(idempotencyKey)))
      secrets.set(id, undefined);
  }
  return secrets;
}
