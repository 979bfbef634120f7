import { createExchange, IDENTITY_HEADER, type Log, type Signer } from '@plataforma/chassis';
import { type TimelineService, timelinePart, timelineServices } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import { z } from 'zod';
import type { AskTimeline } from '../operations/read-timeline.ts';

interface TimelineClient {
  targets: Record<TimelineService, string>;
  signer: Signer;
  log: Log;
}

/** Short: an operator had rather read what the others know than wait for one that hangs. */
const DEADLINE_MS = 2_000;

const answer = z.object({ data: timelinePart });

/** Asks the services in the gateway's own name, beside the connections on which requests are forwarded. */
export function createTimelineClient({ targets, signer, log }: TimelineClient): AskTimeline {
  const exchanges = new Map(
    timelineServices.map((service) => [
      service,
      createExchange({ baseUrl: targets[service], timeoutMs: DEADLINE_MS, isOurs: true, unanswered }),
    ]),
  );
  return async (service, ids) => {
    try {
      const heard = await exchanges.get(service)?.({
        method: 'GET',
        path: `/internal/timeline?ids=${ids.join(',')}`,
        headers: { [IDENTITY_HEADER]: signer.sign({ kind: 'service' }, service) },
      });
      return answer.parse(heard?.body).data;
    } catch (error) {
      log.warn({ err: error, to: service }, 'a service did not tell its part of a timeline');
      return null;
    }
  };
}

function unanswered(): Refusal {
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'the service did not answer in time');
}
