import { describe, expect, test } from '@jest/globals';
import { charge, startAcquirerPeer } from './support/acquirer-peer.ts';
import { noAnswers, useless } from './support/faults.ts';
import { all, ERROR, refusalOf, UNAVAILABLE } from './support/outcomes.ts';
import { json, peerOfFile, type Reply } from './support/peer.ts';

const peer = peerOfFile(startAcquirerPeer);

describe('the list of charges', () => {
  const period = { from: new Date('2026-11-20T00:00:00Z'), to: new Date('2026-11-21T00:00:00Z') };
  const page = (ids: string[], paging: unknown, fields: Record<string, unknown> = {}) =>
    json(200, { data: ids.map((id) => charge({ id, ...fields })), paging });
  const list = async (client = peer.client) =>
    (await all(client.list(period))).map((each) => each.map(({ acquirerId }) => acquirerId));

  test('is read page by page', async () => {
    peer.reply(page(['ch_1', 'ch_2'], { total: 3 }), page(['ch_3'], { total: '3' }));

    expect(await list()).toEqual([['ch_1', 'ch_2'], ['ch_3']]);
    expect(peer.requests.map(({ path, query }) => [path, query])).toEqual(
      ['1', '2'].map((number) => [
        '/core/v5/charges',
        {
          created_since: '2026-11-20T00:00:00.000Z',
          created_until: '2026-11-21T00:00:00.000Z',
          page: number,
          size: '30',
        },
      ]),
    );
  });

  test('continues while a page has a next one, without a total', async () => {
    peer.reply(page(['ch_1'], { next: 'https://api.pagar.me/x' }), page(['ch_2'], {}));

    expect(await list()).toEqual([['ch_1'], ['ch_2']]);
  });

  test('ends at an empty page despite a larger total', async () => {
    peer.reply(page(['ch_1'], { total: 99 }), page([], { total: 99 }));

    expect(await list()).toEqual([['ch_1']]);
    expect(peer.requests).toHaveLength(2);
  });

  test.each([
    ['2026-11-20T00:00:00Z', ['ch_1']],
    ['2026-11-20T23:59:59.999Z', ['ch_1']],
    ['2026-11-21T00:00:00Z', undefined],
    ['2026-11-19T23:59:59Z', undefined],
    [null, ['ch_1']],
  ])('for a charge created at %s contains %j', async (created_at, expected) => {
    peer.reply(page(['ch_1'], { total: 1 }, { created_at }));

    expect((await list())[0]).toEqual(expected);
  });

  test.each<[string, Reply]>([
    ['has no total', json(200, { data: [charge()] })],
    ['contains an invalid charge', json(200, { data: [charge(), {}], paging: { total: 2 } })],
    ['is refused', json(401, {})],
    ...useless.map(([what, reply]): [string, Reply] => [`is ${what}`, reply]),
  ])('is a provider error when a page %s', async (_what, reply) => {
    peer.reply(reply);

    expect(await refusalOf(list())).toBe(ERROR);
  });

  test.each(noAnswers)('is PROVIDER_UNAVAILABLE when the acquirer %s', async (_what, reply) => {
    peer.reply(reply);

    expect(await refusalOf(list(peer.shortTimeout))).toBe(UNAVAILABLE);
  });
});
