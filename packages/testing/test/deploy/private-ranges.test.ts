import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { specialRanges } from '@plataforma/http';
import { addressList } from '@plataforma/kernel/addresses';
import { parse } from 'yaml';
import { z } from 'zod';
import { chart } from './helm-chart.ts';

const values = z.object({
  networkPolicy: z.object({ privateRanges: z.array(z.string()), privateRanges6: z.array(z.string()) }),
});

test('no pod reaches an address range that webhooks refuse', async () => {
  const { networkPolicy } = values.parse(parse(await readFile(join(chart, 'values.yaml'), 'utf8')));
  const isClosed = addressList([...networkPolicy.privateRanges, ...networkPolicy.privateRanges6]);
  const isInternet6 = addressList(['2000::/3']);

  const open = specialRanges.filter(({ range }) => {
    const [network = ''] = range.split('/');
    const isReachable = !network.includes(':') || isInternet6(network);
    return isReachable && !isClosed(network);
  });

  expect(open).toEqual([]);
});
