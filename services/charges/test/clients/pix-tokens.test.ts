import { afterEach, describe, expect, test } from '@jest/globals';
import { createLog } from '@plataforma/observe';
import { createPixClient } from '../../src/pix/pix-client.ts';
import { json, type Peer, type RecordedRequest, type Reply, startPeer } from './support/peer.ts';
import { account } from './support/pix-peer.ts';

const log = createLog({ service: 'charges', level: 'silent' });
const peers: Peer[] = [];
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.stop()));
});

interface Provider {
  find(): Promise<unknown>;
  /** Requests for a token. */
  tokens: RecordedRequest[];
  /** The tokens that other requests came with. */
  used: string[];
  /** No token that was given out is good any more. */
  endTokens(): void;
}

/** A provider that gives numbered tokens, and takes none but the newest. */
async function startProvider(giveToken?: (number: number) => Reply): Promise<Provider> {
  const tokens: RecordedRequest[] = [];
  const used: string[] = [];
  let ended = 0;
  const peer = await startPeer((request) => {
    if (request.path === '/api/oauth/token') {
      const number = tokens.push(request);
      return giveToken?.(number) ?? json(200, { access_token: `token-${number}`, expires_in: 3600 });
    }
    const [, number = ''] = /^Bearer token-(\d+)$/.exec(request.headers.authorization ?? '') ?? [];
    used.push(number);
    return Number(number) > ended ? json(404, {}) : json(401, {});
  });
  peers.push(peer);
  const client = createPixClient({ ...account, baseUrl: `${peer.url}/api/` }, { log });
  return {
    find: () => client.find('a'.repeat(32)),
    tokens,
    used,
    endTokens: () => {
      ended = tokens.length;
    },
  };
}

const fifty = (call: () => Promise<unknown>) => Promise.all(Array.from({ length: 50 }, call));

describe('a token', () => {
  test('is asked for with our name and secret', async () => {
    const { find, tokens } = await startProvider();

    await find();

    const basic = Buffer.from('plataforma:segredo-do-provedor').toString('base64');
    expect(tokens).toMatchObject([
      {
        method: 'POST',
        headers: {
          authorization: `Basic ${basic}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials',
      },
    ]);
  });

  test('serves fifty calls at once, and those after them', async () => {
    const { find, tokens, used } = await startProvider();

    await fifty(find);
    await fifty(find);

    expect([tokens.length, new Set(used), used.length]).toEqual([1, new Set(['1']), 100]);
  });

  test('that ended early is renewed once for fifty calls at once', async () => {
    const { find, tokens, endTokens } = await startProvider();
    await find();
    endTokens();

    const answers = await fifty(find);

    expect(answers).toEqual(Array(50).fill(null));
    // Calls that were refused after the new one had come renew it no further.
    expect(tokens).toHaveLength(2);
  });

  test('that ends soon is renewed before it ends', async () => {
    const { find, tokens } = await startProvider((number) =>
      json(200, { access_token: `token-${number}`, expires_in: number === 1 ? '0.0001' : '3600' }),
    );

    for (let i = 0; i < 3; i += 1) await find();

    expect(tokens).toHaveLength(2);
  });
});
