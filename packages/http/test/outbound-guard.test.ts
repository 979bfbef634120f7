import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { createOutbound } from '../src/outbound.ts';
import { OutboundError } from '../src/outbound-error.ts';

type Options = Partial<Parameters<typeof createOutbound>[0]>;
type OpenSocket = NonNullable<Options['openSocket']>;

/**
 * Sends guarded requests to `urls`, one after the other, and returns their failures. No request leaves this
 * machine.
 */
async function failuresOf(urls: string[], options: Options = {}): Promise<string[]> {
  const outbound = createOutbound({ allowInsecure: false, ...options });
  const failures: string[] = [];
  for (const url of urls) {
    const error = await outbound.request({ method: 'GET', url, timeoutMs: 60_000 }).catch((reason) => reason);
    failures.push(error instanceof OutboundError ? error.failure : `no failure of ours: ${String(error)}`);
  }
  await outbound.close();
  return failures;
}

/** Returns a connector that looks up a name as a socket does, but opens no connection. */
function lookingUp(offered: unknown[]): OpenSocket {
  return (lookup) => (target, callback) => {
    lookup(target.hostname, { all: true }, (error, found) => {
      offered.push(found);
      callback(error ?? new Error('far enough'), null);
    });
  };
}

test.each([
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0X7F.0.0.1/',
  'https://0x7f.0x0.0x0.0x1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://127.0.0.1./',
  'https://１２７.0.0.1/',
  'https://0.0.0.0/',
  'https://0/',
  'https://10.1.2.3/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://2852039166/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.0.0.1/',
  'https://192.168.0.1/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://[fc00::1]/',
  'https://[fd12:3456::1]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[100::1]/',
  'https://[2001:db8::1]/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://db.localhost/',
])('%s is refused before anything is sent', async (url) => {
  expect(await failuresOf([url])).toEqual(['url_refused']);
});

test.each([
  'http://shop.example/',
  'ftp://shop.example/',
  'file:///etc/passwd',
  'https://a:b@shop.example/',
  'https://shop.example/#fragment',
  'shop',
])('%s is refused at any address', async (url) => {
  expect(await failuresOf([url], { resolve: async () => ['8.8.8.8'] })).toEqual(['url_refused']);
});

test.each([
  [['127.0.0.1']],
  [['8.8.8.8', '10.0.0.1']],
  [['2606:4700::1111', '::1']],
  [['::ffff:10.0.0.1']],
  [['fe80::1%eth0']],
  [['not an address']],
])('a name that resolves to %j is refused', async (addresses) => {
  const failures = await failuresOf(['https://shop.example/'], { resolve: async () => addresses });

  expect(failures).toEqual(['address_refused']);
});

test('all public addresses of a name pass', async () => {
  const offered: unknown[] = [];
  const resolve = async () => ['93.184.216.34', '2606:2800:220:1::1'];

  await failuresOf(['https://shop.example/'], { resolve, openSocket: lookingUp(offered) });

  expect(offered).toEqual([
    [
      { address: '93.184.216.34', family: 4 },
      { address: '2606:2800:220:1::1', family: 6 },
    ],
  ]);
});

test('a literal public address passes without a lookup', async () => {
  const called: string[] = [];
  const openSocket: OpenSocket = () => (target, callback) => {
    called.push(target.hostname);
    callback(new Error('far enough'), null);
  };

  await failuresOf(['https://[2606:2800:220:1::1]/', 'https://93.184.216.34/'], { openSocket });

  expect(called).toEqual(['2606:2800:220:1::1', '93.184.216.34']);
});

test('every connection resolves the name again and refuses private addresses', async () => {
  const answers = [['8.8.8.8'], ['169.254.169.254']];
  const offered: unknown[] = [];
  const options = { resolve: async () => answers.shift() ?? [], openSocket: lookingUp(offered) };

  const failures = await failuresOf(['https://shop.example/', 'https://shop.example/'], options);

  expect(failures).toEqual(['connection_failed', 'address_refused']);
  expect(offered).toEqual([[{ address: '8.8.8.8', family: 4 }], []]);
});

test('the connected socket is checked again after name resolution', async () => {
  let requests = 0;
  const server = createServer((_req, res) => {
    requests += 1;
    res.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const openSocket: OpenSocket = () => (_target, callback) => {
    const socket = connect(port, '127.0.0.1', () => callback(null, socket));
  };

  const failures = await failuresOf(['https://shop.example/'], {
    resolve: async () => ['8.8.8.8'],
    openSocket,
  });
  server.close();

  expect(failures).toEqual(['address_refused']);
  expect(requests).toBe(0);
});
