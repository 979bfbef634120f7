import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { announceAddress } from './announce-address.ts';

/**
 * Merchants' servers, all in one: a path with `hang` never answers, `fail` answers 500, any other 200. `GET /report`
 * tells how long after its timestamp each message came that was answered 200, in milliseconds, since the last report;
 * and when the last of all came.
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
// A caller that gives up on a path that hangs is no event worth a word.
server.on('clientError', (_error, socket) => socket.destroy());
await announceAddress(server);
