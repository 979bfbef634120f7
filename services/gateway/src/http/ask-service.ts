import { type TimelineService, timelineServices } from '@plataforma/contracts';
import { createPeerClient, type Signer } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { z } from 'zod';

interface Behind {
  targets: Record<TimelineService, string>;
  signer: Signer;
  log: Log;
}

interface Question<T> {
  path: string;
  answer: z.ZodType<T>;
  /** The body of a POST request. If it is absent, the request is a GET. */
  body?: unknown;
}

/**
 * Calls a service on behalf of the gateway, not of a caller. Resolves to null if the service does not answer.
 */
export type AskService = <T>(service: TimelineService, question: Question<T>) => Promise<T | null>;

/**
 * The timeout of a call. It is short, because an operator should get the other services' data even if one
 * service hangs.
 */
const DEADLINE_MS = 2_000;

/** Creates an `AskService`. Its connections are separate from those of forwarded requests. */
export function createAskService({ targets, signer, log }: Behind, timeoutMs = DEADLINE_MS): AskService {
  const own = { signer, timeoutMs, unanswered };
  const peers = new Map(
    timelineServices.map((service) => [
      service,
      createPeerClient({ ...own, service, baseUrl: targets[service] }),
    ]),
  );
  return async (service, { path, answer, body }) => {
    try {
      return (await peers.get(service)?.ask(path, answer, body)) ?? null;
    } catch (error) {
      log.warn({ err: error, to: service }, 'service left its part of a response out');
      return null;
    }
  };
}

/** Returns a query string of the values, without undefined values. */
export function queryOf(values: Record<string, string | number | undefined>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  return query;
}

function unanswered(): Refusal {
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'the service did not answer in time');
}
