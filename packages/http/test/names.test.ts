import { createSocket, type Socket } from 'node:dgram';
import { afterEach, describe, expect, test } from '@jest/globals';
import { resolvingByDns } from '../src/names.ts';

/** The deadline for one attempt to deliver a webhook. */
const ATTEMPT_MS = 10_000;

const A = 1;
const NS = 2;
const AAAA = 28;
const codes = { none: 0, broken: 2, unknown: 3 };

/** The answer of a name server: records with these bytes, an error code, or no answer. */
type Said = Buffer[] | keyof typeof codes | 'silent';

const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

/** Starts a name server. `says` returns its answer for each type of record. */
async function nameServer(says: (type: number) => Said): Promise<string> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.on('message', (query, { port }) => {
    const end = query.indexOf(0, 12) + 5;
    const type = query.readUInt16BE(end - 4);
    const said = says(type);
    if (said === 'silent') return;
    const records = typeof said === 'string' ? [] : said;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180 | (typeof said === 'string' ? codes[said] : 0), 2);
    head.writeUInt16BE(records.length, 6);
    // The answer has no additional records, even if the query has some.
    head.writeUInt16BE(0, 10);
    const answers = records.map((data) => {
      const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
      return Buffer.concat([record, data]);
    });
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), port, '127.0.0.1');
  });
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
  return `127.0.0.1:${socket.address().port}`;
}

const root = [Buffer.from([1, 97, 0])];
const v4 = [Buffer.from([192, 0, 2, 1]), Buffer.from([192, 0, 2, 2])];

async function resolved(says: (type: number) => Said): Promise<string[] | string> {
  const resolve = resolvingByDns([await nameServer(says)]);
  return resolve('shop.example').catch(String);
}

describe('a name resolved by DNS', () => {
  test('has the addresses of both families', async () => {
    const v6 = [Buffer.from('20010db8000000000000000000000001', 'hex')];

    const found = await resolved((type) => (type === A ? v4 : v6));

    expect(found).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
  });

  test.each(['broken', 'unknown', 'none'] as const)(
    'has the addresses of one family when the other is %s',
    async (said) => {
      expect(await resolved((type) => (type === A ? v4 : said))).toEqual(['192.0.2.1', '192.0.2.2']);
    },
  );

  test.each(['unknown', 'none'] as const)('has no address when the answer is %s', async (said) => {
    expect(await resolved((type) => (type === NS ? 'broken' : said))).toEqual([]);
  });

  test.each<[Said, Said, unknown]>([
    ['broken', root, []],
    ['broken', 'unknown', []],
    ['broken', 'broken', 'Error: no name server answers'],
  ])('without an answer (%s) fails only if the root fails, too', async (...row) => {
    const [said, saidOfRoot, expected] = row;

    expect(await resolved((type) => (type === NS ? saidOfRoot : said))).toEqual(expected);
  });

  test('has no address when one family fails, the other is empty', async () => {
    const says = (type: number) => (type === AAAA ? 'broken' : type === NS ? root : 'none');

    expect(await resolved(says)).toEqual([]);
  });

  test('cannot be resolved without a name server', async () => {
    await expect(resolvingByDns(['127.0.0.1:1'])('shop.example')).rejects.toThrow('no name server answers');
  });

  test('times out within an attempt, even with several silent servers', async () => {
    const silent = () => 'silent' as const;
    const all = [await nameServer(silent), await nameServer(silent), await nameServer(silent)];
    const startedAt = performance.now();

    const [ofAll, ofName] = await Promise.all([
      resolvingByDns(all)('shop.example').catch(String),
      resolved((type) => (type === NS ? root : 'silent')),
    ]);

    expect([ofAll, ofName]).toEqual(['Error: no name server answers', []]);
    expect(performance.now() - startedAt).toBeLessThan(ATTEMPT_MS);
  });
});
