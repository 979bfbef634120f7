import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { buildPages, type Platform } from '@plataforma/local';
import { z } from 'zod';
import { atMost, type Figures, kilobytes, type Row } from '../figures.ts';
import type { Workbench } from '../run.ts';
import { shopOf } from './shop.ts';

const SIZES = new URL('../../../../services/web/built/sizes.json', import.meta.url);
const KB = 1_000;
const table = z.array(z.object({ what: z.string(), bytes: z.number(), limit: z.number() }));

/**
 * Measures how many bytes a browser loads, compressed with gzip. Unlike times, bytes do not depend on the
 * load of the machine.
 */
export async function sizes({ platform }: Workbench<Platform>): Promise<Figures> {
  await buildPages();
  const built = table.parse(JSON.parse(await readFile(SIZES, 'utf8')));
  const { facts } = await platform();
  const shop = shopOf(facts);
  const response = await fetch(`${shop.webUrl}/pay/${await shop.newCharge()}`);
  const html = gzipSync(await response.text()).length;
  const first = built.filter(({ what }) => !what.includes(', then '));
  const heaviest = built
    .filter(({ what }) => what.includes(', then '))
    .reduce((most, each) => (each.bytes > most.bytes ? each : most));
  const script = first.find(({ what }) => what.startsWith('checkout'))?.bytes ?? Number.NaN;
  const whole = kilobytes((html + script) / KB);
  return {
    about: 'Bytes that a browser loads, compressed with gzip; JavaScript unless noted.',
    rows: [
      ...first.map(rowOf),
      { what: 'checkout: the whole page, with its QR code', value: whole, aim: atMost(whole, 25) },
      { ...rowOf(heaviest), note: 'the heaviest of all later pages and forms' },
    ],
  };
}

function rowOf({ what, bytes, limit }: z.infer<typeof table>[number]): Row {
  const value = kilobytes(bytes / KB);
  return { what, value, aim: atMost(value, limit / KB) };
}
