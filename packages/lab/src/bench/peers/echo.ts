import { createServer } from 'node:http';
import { announceAddress } from './announce-address.ts';

const ANSWER = JSON.stringify({ success: true, data: { message: 'the same to everybody' } });

await announceAddress(
  createServer((request, response) => {
    request.resume();
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': ANSWER.length })
      .end(ANSWER);
  }),
);
