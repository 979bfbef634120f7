import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '@plataforma/kernel';
import type { Express, RequestHandler } from 'express';
import { setAnswerHeaders } from './answer-headers.ts';
import { hasBody } from './body-type.ts';

/** Checks one dependency. Throws or returns false when the dependency is unavailable. */
export type ReadinessCheck = () => Promise<unknown> | boolean;

interface Health {
  needs: Record<string, ReadinessCheck>;
  uses: Record<string, ReadinessCheck>;
  isAccepting: () => boolean;
}

/**
 * The longest time of a check. A slower check counts as failed, because the caller of `/readyz` does not wait
 * longer.
 */
const CHECK_TIMEOUT_MS = 2_000;
/**
 * The time for which all callers get the same result, so that frequent callers cannot keep the database busy.
 */
const CHECK_TTL_MS = 1_000;
/**
 * The time for which all callers get the same result while a dependency is unavailable. It is short, so that
 * `/readyz` soon shows that the dependency is available again.
 */
const MISSING_TTL_MS = 100;

/**
 * Serves `/healthz`, which says that the process runs, and `/readyz`, which says whether it should get
 * requests.
 */
export function healthRoutes(app: Express, { needs, uses, isAccepting }: Health): void {
  app.use(['/healthz', '/readyz'], (_req, res, next) => {
    setAnswerHeaders(res);
    next();
  });
  app.use(['/healthz', '/readyz'], refuseBody);
  app.get('/healthz', (_req, res) => void res.json({ success: true, data: { status: 'ok' } }));
  const readStates = cached(
    () => Promise.all([stateOf(needs), stateOf(uses)]),
    (states) => states.some((each) => Object.values(each).includes('down')),
  );
  app.get('/readyz', async (_req, res) => {
    const [needed, used] = await readStates();
    const accepting = isAccepting() ? 'ok' : 'down';
    const isReady = Object.values({ ...needed, accepting }).every((state) => state === 'ok');
    res.status(isReady ? 200 : 503).json({ success: isReady, data: { ...needed, accepting, ...used } });
  });
}

/** Refuses any body, because health routes run before the checks of body length and encoding. */
const refuseBody: RequestHandler = (req, res, next) => {
  if (hasBody(req)) {
    res.setHeader('Connection', 'close');
    throw new Refusal('invalid', 'VALIDATION_ERROR', `body: ${req.baseUrl} takes none`);
  }
  next();
};

async function stateOf(checks: Record<string, ReadinessCheck>): Promise<Record<string, 'ok' | 'down'>> {
  const states = Object.entries(checks).map(async ([name, check]) => {
    const outcome = Promise.resolve()
      .then(check)
      .then((result) => result !== false)
      .catch(() => false);
    const isOk = await Promise.race([outcome, sleep(CHECK_TIMEOUT_MS, false, { ref: false })]);
    return [name, isOk ? 'ok' : 'down'] as const;
  });
  return Object.fromEntries(await Promise.all(states));
}

function cached<Found>(
  read: () => Promise<Found>,
  lacksSomething: (found: Found) => boolean,
): () => Promise<Found> {
  let found: Promise<Found> | undefined;
  let freshUntil = 0;
  return () => {
    if (found && performance.now() < freshUntil) return found;
    const reading = read();
    found = reading;
    freshUntil = performance.now() + CHECK_TTL_MS;
    void reading.then((it) => {
      if (lacksSomething(it)) freshUntil = Math.min(freshUntil, performance.now() + MISSING_TTL_MS);
    });
    return found;
  };
}
