import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { announceAddress } from './announce-address.ts';

/**
 * Merchants' servers in one process: a path with `hang` never answers, `fail` answers 500, any other 200.
 * `GET /report` returns the latencies (ms) since the last report, and the last arrival.
 */
const TIMESTAMP = /"timestamp":"([^"]+)"/;
let latencies: number[] = [];
let lastAt = 0;

const server = createServer(async (request, response) => {
  if (request.url === '/report') {
    response.end(JSON.stringify({ latencies, lastAt }));
    latencies = [];
    return;
  }
  const message = await text(request);
  if (request.url?.includes('hang')) return;
  if (request.url?.includes('fail')) {
    response.writeHead(500).end();
    return;
  }
  lastAt = Date.now();
  latencies.push(lastAt - Date.parse(TIMESTAMP.exec(message)?.[1] ?? ''));
  response.end();
});
// Ignore callers that disconnect from a path that hangs.
server.on('clientError', (_error, socket) => socket.destroy());
await announceAddress(server);
