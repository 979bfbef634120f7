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
  tokens: RecordedRequest[];
  /** The tokens of all requests except requests for a token. */
  used: string[];
  endTokens(): void;
}

/** Starts a provider that issues numbered tokens and accepts only the newest token. */
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

describe('an access token', () => {
  test('is requested with our name and secret', async () => {
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

  test('serves fifty concurrent calls and the later ones', async () => {
    const { find, tokens, used } = await startProvider();

    await fifty(find);
    await fifty(find);

    expect([tokens.length, new Set(used), used.length]).toEqual([1, new Set(['1']), 100]);
  });

  test('is renewed once for fifty calls after an early end', async () => {
    const { find, tokens, endTokens } = await startProvider();
    await find();
    endTokens();

    const answers = await fifty(find);

    expect(answers).toEqual(Array(50).fill(null));
    // A call that is refused with the renewed token does not renew the token again.
    expect(tokens).toHaveLength(2);
  });

  test('is renewed before it ends', async () => {
    const { find, tokens } = await startProvider((number) =>
      json(200, { access_token: `token-${number}`, expires_in: number === 1 ? '0.0001' : '3600' }),
    );

    for (let i = 0; i < 3; i += 1) await find();

    expect(tokens).toHaveLength(2);
  });
});
