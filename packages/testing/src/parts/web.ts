import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Endpoint } from '@plataforma/contracts';
import { type HttpServer, type Router, startHttpServer } from '@plataforma/http';
import { z } from 'zod';
import { silent } from './log.ts';

type Options = Parameters<typeof startHttpServer>[0];

/** A server on a free port of the loopback. */
export function serving(
  mount: (app: Router) => void,
  { log = silent, needs = {}, uses = {}, ...more }: Partial<Omit<Options, 'host' | 'port' | 'mount'>> = {},
): Promise<HttpServer> {
  return startHttpServer({
    log,
    host: '127.0.0.1',
    port: 0,
    needs,
    uses,
    mount,
    connectionLimit: null,
    ...more,
  });
}

/** An endpoint to test with; nothing in it is special. */
export const echo = {
  method: 'post',
  path: '/v1/echo/:id',
  service: 'ledger',
  access: { kind: 'merchant', anyOf: ['wallet:read'], spends: false },
  summary: 'Answers what it was asked',
  params: z.object({ id: z.string().regex(/^\d+$/) }),
  query: z.strictObject({ limit: z.coerce.number().int().max(100).optional() }),
  body: z.object({ amount: z.int().min(100), name: z.string().optional() }),
  status: 201,
  data: z.object({ amount: z.int() }),
  errors: [],
} as const satisfies Endpoint;

/** Returns a server's answer to bytes that no HTTP client would send. */
export function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
    socket.on('error', reject);
  });
}

/** Opens connections that send a request each; `isHeld` says whether one was answered and stays open. */
export function holdConnections(
  url: string,
  count: number,
  localAddress = '127.0.0.1',
): Promise<{ socket: Socket; isHeld: boolean }[]> {
  const hold = () =>
    new Promise<{ socket: Socket; isHeld: boolean }>((resolve) => {
      const port = Number(new URL(url).port);
      const socket = connect({ port, host: '127.0.0.1', localAddress }, () =>
        socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'),
      );
      socket.on('error', () => undefined);
      socket.once('data', () => resolve({ socket, isHeld: true }));
      socket.once('close', () => resolve({ socket, isHeld: false }));
    });
  return Promise.all(Array.from({ length: count }, hold));
}

interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Unlike fetch, sends exactly these headers. */
export function send(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer | undefined },
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    call.on('error', reject);
    call.end(body);
  });
}
