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
  /** Sent by POST; a GET when left out. */
  body?: unknown;
}

/** Asks a service for the gateway itself; null: it did not answer. */
export type AskService = <T>(service: TimelineService, question: Question<T>) => Promise<T | null>;

/** Short: an operator had rather read what the others know than wait for one that hangs. */
const DEADLINE_MS = 2_000;

/** Asks the services in the gateway's own name, beside the connections on which requests are forwarded. */
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
      log.warn({ err: error, to: service }, 'a service did not tell its part of an answer');
      return null;
    }
  };
}

/** The query of a path; what is not defined is left out. */
export function queryOf(values: Record<string, string | number | undefined>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  return query;
}

function unanswered(): Refusal {
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'the service did not answer in time');
}
