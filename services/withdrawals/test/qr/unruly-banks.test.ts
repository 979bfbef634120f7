import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createOutbound, type Outbound } from '@plataforma/http';
import { eventually } from '@plataforma/testing';
import { closingAfterEach } from '@plataforma/testing/fixtures';
import { cob, createFakeBank, jwsOf, newEcKey } from '../support/qr-bank.ts';
import { codeTo, dynamicCode } from '../support/qr-codes.ts';
import { type Decoder, startDecoder } from '../support/qr-decoder.ts';

const key = newEcKey('P-256');
const atTheEnd = closingAfterEach();
let guarded: Outbound;
let unguarded: Outbound;

beforeAll(() => {
  guarded = createOutbound({ allowInsecure: false });
  unguarded = createOutbound({ allowInsecure: true });
});
afterAll(() => Promise.all([guarded.close(), unguarded.close()]));

/** Starts a local server that counts its connections. */
async function serving(listener: RequestListener) {
  const traffic = { connections: 0, closed: 0, paths: [] as (string | undefined)[] };
  const server = createServer((request, response) => {
    traffic.paths.push(request.url);
    listener(request, response);
  });
  server.on('connection', (socket) => {
    traffic.connections += 1;
    socket.on('close', () => (traffic.closed += 1));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  atTheEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${address.port}`, port: address.port, traffic };
}

async function trusting(hosts: string[], timeoutMs = 30_000): Promise<Decoder> {
  const decoder = await startDecoder({ guarded, unguarded, trustedHosts: new Set(hosts), timeoutMs });
  atTheEnd(() => decoder.stop());
  return decoder;
}

const unresolvable = (message: string) => ({
  status: 422,
  error: { code: 'QR_CODE_UNRESOLVABLE', message },
});
const TOO_SLOW = unresolvable('the bank behind the code does not answer in time');
const ELSEWHERE = {
  status: 422,
  error: { code: 'INVALID_QR_CODE', message: 'the code is not signed by the bank it leads to' },
};
const NOWHERE = unresolvable('the code leads to an address that no bank has');

/**
 * Starts a fake bank that serves charges and keys from one host over plain HTTP, as the sandbox bank does.
 */
async function localBank(jkuOf = (host: string) => `http://${host}/.well-known/jwks.json`) {
  const bank = await serving((request, response) => {
    if (request.url === '/.well-known/jwks.json') {
      const jwk = { ...key.publicKey.export({ format: 'jwk' }), kid: 'k1' };
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ keys: [jwk] }));
    }
    const header = { alg: 'ES256', kid: 'k1', typ: 'JWS', jku: jkuOf(bank.host) };
    return response
      .writeHead(200, { 'content-type': 'application/jose' })
      .end(jwsOf(header, cob(), key.privateKey));
  });
  return bank;
}

describe('a trusted host', () => {
  test('is called in plain HTTP on its local port', async () => {
    const { host, traffic } = await localBank();
    const decoder = await trusting(['other:80', host]);

    expect(await decoder.decode(dynamicCode(`${host}/qr/v2/1`))).toMatchObject({
      status: 200,
      data: { amount: 3700 },
    });
    expect(traffic.paths).toEqual(['/qr/v2/1', '/.well-known/jwks.json']);
  });

  test('is trusted only with its exact name and port', async () => {
    const bank = await localBank();
    const neighbour = await localBank();
    const decoder = await trusting([bank.host]);
    const spellings = [
      neighbour.host,
      `localhost:${bank.port}`,
      `2130706433:${bank.port}`,
      `127.1:${bank.port}`,
      `0${bank.host}`,
      '127.0.0.1',
    ];

    for (const spelling of spellings) {
      expect(await decoder.decode(codeTo(`${spelling}/qr/v2/1`))).toMatchObject(NOWHERE);
    }
    expect([bank.traffic.connections, neighbour.traffic.connections]).toEqual([0, 0]);
  });

  test.each<[string, (host: string, neighbour: string) => string]>([
    ['on another port of its host', (_host, neighbour) => `http://${neighbour}/.well-known/jwks.json`],
    [
      'under another name of its host',
      (host) => `http://${host.replace('127.0.0.1', 'localhost')}/jwks.json`,
    ],
    ['on a public host', () => 'https://pix.example/jwks.json'],
    ['on the default port of this machine', () => 'http://127.0.0.1/jwks.json'],
  ])('has no keys %s', async (_what, jkuOf) => {
    const neighbour = await localBank();
    const bank = await localBank((host) => jkuOf(host, neighbour.host));
    const decoder = await trusting([bank.host, neighbour.host]);

    expect(await decoder.decode(dynamicCode(`${bank.host}/qr/v2/1`))).toMatchObject(ELSEWHERE);
    expect(neighbour.traffic.connections).toBe(0);
  });

  test('provides no keys for a public bank', async () => {
    const { host, traffic } = await localBank();
    const bank = createFakeBank(key);
    const decoder = await startDecoder({ guarded: bank.web, unguarded, trustedHosts: new Set([host]) });
    atTheEnd(() => decoder.stop());

    const code = bank.code(cob(), { jku: `http://${host}/.well-known/jwks.json` });

    expect(await decoder.decode(code)).toMatchObject(ELSEWHERE);
    expect(traffic.connections).toBe(0);
  });
});

describe('an unruly bank', () => {
  test('that sends its charge slowly is disconnected', async () => {
    const { host, traffic } = await serving((request, response) => {
      response.writeHead(200, { 'content-length': '60000' });
      response.flushHeaders();
      const timer = setInterval(() => request.socket.write('x'), 20);
      request.socket.on('close', () => clearInterval(timer)).on('error', () => undefined);
    });
    const decoder = await trusting([host], 300);

    expect(await decoder.decode(dynamicCode(`${host}/qr/1`))).toMatchObject(TOO_SLOW);
    await eventually(() => expect([traffic.connections, traffic.closed]).toEqual([1, 1]));
  });

  test('that withholds its keys is disconnected', async () => {
    const { host } = await serving((request, response) => {
      const header = { alg: 'ES256', kid: 'k1', jku: `http://${request.headers.host}/jwks.json` };
      if (request.url !== '/jwks.json') response.end(jwsOf(header, cob(), key.privateKey));
    });
    const decoder = await trusting([host], 300);

    expect(await decoder.decode(dynamicCode(`${host}/qr/1`))).toMatchObject(TOO_SLOW);
  });

  test('with a slow charge has less time for its keys', async () => {
    const { web, code } = createFakeBank(key);
    const left: number[] = [];
    const decoder = await startDecoder({
      guarded: {
        request: (request) => {
          left.push(request.timeoutMs);
          return web.request(request);
        },
      },
      timeoutMs: 30_000,
    });
    atTheEnd(() => decoder.stop());

    await decoder.decode(code());

    const [forCharge = 0, forKeys = 0] = left;
    expect(forCharge).toBeLessThanOrEqual(30_000);
    expect(forKeys).toBeLessThan(forCharge);
  });

  test('that hangs up counts as unreachable', async () => {
    const { host } = await serving((request) => request.socket.destroy());
    const decoder = await trusting([host]);

    expect(await decoder.decode(dynamicCode(`${host}/qr/1`))).toMatchObject(
      unresolvable('the bank behind the code can’t be reached'),
    );
  });
});
