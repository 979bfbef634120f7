import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

interface FakeAnswer {
  status: number;
  headers?: OutgoingHttpHeaders;
  body?: string;
}

/** Requests that the gateway sends on its own schedule, and that may therefore arrive during any test. */
const OF_THE_GATEWAY = '/internal/chain-anchors?';

/** A fake of a service behind the gateway. It records its requests. */
export interface FakeService {
  url: string;
  requests: Received[];
  last(): Received;
  /** Sets the response to all later requests. The default is a success without data. */
  answer(fn: (received: Received) => FakeAnswer): void;
  /** Replaces the handling of all later requests. `fn` gets a request before its body is read. */
  intercept(fn: ((req: IncomingMessage, res: ServerResponse) => void) | undefined): void;
  connections: Socket[];
  down(): Promise<void>;
  /** Starts the stopped service again at the same address. */
  up(): Promise<void>;
  /** Restores the initial behaviour and clears the records. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export async function startFakeService(): Promise<FakeService> {
  const requests: Received[] = [];
  const connections: Socket[] = [];
  const succeed = (_received: Received): FakeAnswer => ({ status: 200 });
  let answerTo = succeed;
  let interceptor: ((req: IncomingMessage, res: ServerResponse) => void) | undefined;

  const server = createServer(async (req, res) => {
    if (interceptor) {
      interceptor(req, res);
      return;
    }
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of req) chunks.push(chunk);
    } catch {
      return;
    }
    const received = {
      method: req.method ?? '',
      url: req.url ?? '',
      headers: req.headers,
      body: Buffer.concat(chunks),
    };
    if (!received.url.startsWith(OF_THE_GATEWAY)) requests.push(received);
    const { status, headers = {}, body = '{"success":true,"data":{}}' } = answerTo(received);
    res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  server.on('connection', (socket) => connections.push(socket));
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  const down = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  await listen(0);
  const { port } = addressOf(server.address());
  const up = async () => {
    if (!server.listening) await listen(port);
  };

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    connections,
    last() {
      const last = requests.at(-1);
      if (!last) throw new Error('nothing has reached the service');
      return last;
    },
    answer(fn) {
      answerTo = fn;
    },
    intercept(fn) {
      interceptor = fn;
    },
    down,
    up,
    async reset() {
      requests.length = 0;
      answerTo = succeed;
      interceptor = undefined;
      await up();
    },
    stop: down,
  };
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return address;
}
