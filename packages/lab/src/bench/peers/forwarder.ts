import { Agent, createServer, request } from 'node:http';
import { announceAddress } from './announce-address.ts';

/** A reverse proxy in Node that only forwards requests. Its rate is the upper limit for a gateway in Node. */
const target = new URL(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

await announceAddress(
  createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const onward = request({ host: target.hostname, port: target.port, agent, method, path, headers });
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  }),
);
