import { qrImageDataUri, writeDynamicCode } from '@plataforma/brcode';
import { atMost, counted, type Figures, milliseconds } from './figures.ts';
import { spread } from './measure.ts';

const ROUNDS = 2_000;
const WARM_UP = 200;

/**
 * Measures how long it takes to draw the QR code of a charge as a PNG. The drawing blocks the thread that
 * serves requests.
 */
export async function images(): Promise<Figures> {
  // Every code is different, because the images of equal codes are cached.
  const codes = Array.from({ length: ROUNDS + WARM_UP }, (_, n) => {
    const location = `pix.exemplo.com.br/qr/v2/${String(n).padStart(44, '0')}`;
    return writeDynamicCode({ location, merchantName: 'Plataforma', merchantCity: 'Sao Paulo' });
  });
  for (const code of codes.splice(0, WARM_UP)) qrImageDataUri(code);
  const latencies: number[] = [];
  const before = process.cpuUsage();
  for (const code of codes) {
    const startedAt = performance.now();
    qrImageDataUri(code);
    latencies.push(performance.now() - startedAt);
  }
  const { user, system } = process.cpuUsage(before);
  const each = milliseconds((user + system) / 1000 / ROUNDS);
  return {
    about: `Processor time of drawing the PNG of a charge's code of ${codes[0]?.length} characters, ${counted(ROUNDS)} times.`,
    rows: [{ what: 'PNG', value: each, ...spread(latencies), aim: atMost(each, 1.5) }],
  };
}
