import { expect, test } from '@jest/globals';
import { sendRaw, serving, worldOfFile } from '@plataforma/testing/fixtures';

const server = worldOfFile(() =>
  serving(
    (app) => {
      app.get('/own', (_req, res) => {
        res.setHeader('Cache-Control', 'no-cache').setHeader('Referrer-Policy', 'same-origin');
        throw new Error('fails after it has set headers');
      });
    },
    { hostNames: ['api.example'] },
  ),
);

const expected = [
  'Cache-Control: no-store',
  "Content-Security-Policy: default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy: no-referrer',
  'X-Content-Type-Options: nosniff',
];

async function headOf(bytes: string): Promise<string[]> {
  const [head = ''] = (await sendRaw(server.port, bytes)).split('\r\n\r\n');
  return head.split('\r\n');
}

const close = 'Connection: close\r\n\r\n';

test.each([
  ['404 to another host name', `GET / HTTP/1.1\r\nHost: rebound.example\r\n${close}`],
  ['400 to a request without a host', `GET / HTTP/1.1\r\n${close}`],
  ['400 to invalid HTTP', 'GET HELLO\r\n\r\n'],
  ['501 to an unknown method', 'HELLO / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['431 to too many headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(33 * 1024)}\r\n\r\n`],
  ['405 to a CONNECT request', 'CONNECT elsewhere:80 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['404 to an unknown path', `GET /nowhere HTTP/1.1\r\nHost: api.example\r\n${close}`],
  ['200 of /healthz', `GET /healthz HTTP/1.1\r\nHost: api.example\r\n${close}`],
  ['200 of /readyz', `GET /readyz HTTP/1.1\r\nHost: api.example\r\n${close}`],
  ['400 of /healthz to a body', 'POST /healthz HTTP/1.1\r\nHost: api.example\r\nContent-Length: 9\r\n\r\n'],
])('the answer %s has the headers of all answers', async (what, bytes) => {
  const [line, ...headers] = await headOf(bytes);

  expect(line).toContain(what.slice(0, 3));
  expect(headers).toEqual(expect.arrayContaining(expected));
});

test('a failure has the headers that its route set', async () => {
  const headers = await headOf(`GET /own HTTP/1.1\r\nHost: api.example\r\n${close}`);

  const own = [
    ...expected.filter((each) => !/^(?:Cache|Referrer)/.test(each)),
    'Referrer-Policy: same-origin',
  ];
  expect(headers).toEqual(expect.arrayContaining([...own, 'Cache-Control: no-cache']));
});
