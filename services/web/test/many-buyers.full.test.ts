import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { claimSite } from '@plataforma/testing';
import { callerTo } from '@plataforma/testing/world';

const BUYERS = 200;
let stop: () => Promise<void>;
let webUrl: string;
let slug: string;

beforeAll(async () => {
  const site = await claimSite({ web: { port: null }, hasLimits: true });
  const platform = await site.start();
  stop = async () => {
    await platform.stop();
    await site.clear();
  };
  webUrl = platform.facts.webUrl ?? '';
  const link = await callerTo(platform.facts.baseUrl)('/v1/payment-links', {
    method: 'POST',
    headers: { 'x-api-key': platform.facts.demo.liveKey },
    body: { description: 'Aula', amount: 4_990 },
  });
  slug = String(Object(link.data).slug);
});
afterAll(() => stop?.());

const refused: number[] = [];

/** Follows a redirect as a browser does, and sends what was answered 503 once more when its answer says so. */
async function open(path: string, form?: URLSearchParams): Promise<string> {
  const site = form ? 'same-origin' : 'none';
  const headers = { 'sec-fetch-site': site, 'user-agent': 'Mozilla/5.0' };
  const request = form ? { method: 'POST', body: form, headers } : { headers };
  const answer = await fetch(new URL(path, webUrl), request);
  if (answer.status === 503) {
    await new Promise((resolve) => setTimeout(resolve, 1_000 * Number(answer.headers.get('retry-after'))));
    return open(path, form);
  }
  if (!answer.ok) refused.push(answer.status);
  return answer.text();
}

/** A CPF with its check digits. */
function cpfOf(buyer: number): string {
  let digits = String(100_000_000 + buyer);
  for (const length of [9, 10]) {
    const sum = [...digits].reduce((total, digit, place) => total + Number(digit) * (length + 1 - place), 0);
    digits += ((sum * 10) % 11) % 10;
  }
  return digits;
}

async function payByPix(_: unknown, buyer: number): Promise<string> {
  await open(`/pay/l/${slug}`);
  const payer = { payerName: `Comprador ${buyer}`, payerDocument: cpfOf(buyer) };
  return open(`/pay/l/${slug}`, new URLSearchParams({ ...payer, method: 'PIX' }));
}

test('200 buyers behind one address open a link at once, and each gets a Pix code', async () => {
  const pages = await Promise.all(Array.from({ length: BUYERS }, payByPix));

  expect(refused).toEqual([]);
  expect(pages.filter((page) => page.includes('000201'))).toHaveLength(BUYERS);
}, 300_000);
