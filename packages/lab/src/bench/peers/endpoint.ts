import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { announceAddress } from './announce-address.ts';

/**
 * The merchants' servers of a benchmark, in one process. A path with `hang` never answers, one with `fail`
 * answers 500, and any other answers 200. `GET /report` returns the latencies (ms) since the last report, and
 * the time of the last arrival.
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
// Callers disconnect from paths that never answer. The errors of their connections are ignored.
server.on('clientError', (_error, socket) => socket.destroy());
await announceAddress(server);
