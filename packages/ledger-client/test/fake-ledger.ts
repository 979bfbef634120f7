import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Behaviour, type Loopback, sendReply, startLoopback } from '@plataforma/testing';

interface RecordedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: unknown;
}

export interface FakeLedger extends Loopback {
  requests: RecordedRequest[];
  /** Sets the behaviours of the next requests, one for each request. */
  reply(...behaviours: Behaviour[]): void;
}

/** Starts a fake ledger that answers as the test configures it and records the requests that it receives. */
export async function startFakeLedger(): Promise<FakeLedger> {
  const requests: RecordedRequest[] = [];
  let behaviours: Behaviour[] = [];
  const server = await startLoopback(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://ledger');
    const body = await text(request);
    requests.push({
      method: request.method ?? '',
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: request.headers,
      body: body === '' ? undefined : JSON.parse(body),
    });
    const behaviour = behaviours.shift() ?? (() => 'reset' as const);
    sendReply(request, response, await behaviour(() => ({ status: 200, body: {} })));
  });
  return {
    ...server,
    requests,
    reply(...next) {
      requests.splice(0);
      behaviours = next;
    },
  };
}
