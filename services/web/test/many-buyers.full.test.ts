import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { claimSite } from '@plataforma/testing';
import { callerTo } from '@plataforma/testing/world';
import { Agent, fetch } from 'undici';

const BUYERS = 200;
let stop: () => Promise<void>;
let webUrl: string;
const slugs = { production: '', sandbox: '' };

beforeAll(async () => {
  const site = await claimSite({ web: { port: null }, hasLimits: true });
  const platform = await site.start();
  stop = async () => {
    await platform.stop();
    await site.clear();
  };
  webUrl = platform.facts.webUrl ?? '';
  const { baseUrl, demo } = platform.facts;
  const linkWith = async (key: string) => {
    const body = { description: 'Aula', amount: 4_990 };
    const headers = { 'x-api-key': key };
    const link = await callerTo(baseUrl)('/v1/payment-links', { method: 'POST', headers, body });
    return String(Object(link.data).slug);
  };
  slugs.production = await linkWith(demo.liveKey);
  slugs.sandbox = await linkWith(demo.sandboxKey);
});
afterAll(async () => {
  await Promise.all([...agents.values()].map((agent) => agent.close()));
  await stop?.();
});

const refused: number[] = [];

/**
 * One network may begin only 300 visits in 15 minutes, so the buyers of each environment use a network of
 * their own.
 */
const networks = { production: '127.0.0.2', sandbox: '127.0.0.3' };
const agents = new Map<string, Agent>();

/**
 * Follows redirects as a browser does. After a 503 it waits for the time in `Retry-After` and repeats the
 * request.
 */
async function open(path: string, dispatcher: Agent, form?: URLSearchParams): Promise<string> {
  const site = form ? 'same-origin' : 'none';
  const headers = { 'sec-fetch-site': site, 'user-agent': 'Mozilla/5.0' };
  const request = form ? { method: 'POST', body: form, headers, dispatcher } : { headers, dispatcher };
  const answer = await fetch(new URL(path, webUrl), request);
  if (answer.status === 503) {
    await new Promise((resolve) => setTimeout(resolve, 1_000 * Number(answer.headers.get('retry-after'))));
    return open(path, dispatcher, form);
  }
  if (!answer.ok) refused.push(answer.status);
  return answer.text();
}

function cpfOf(buyer: number): string {
  let digits = String(100_000_000 + buyer);
  for (const length of [9, 10]) {
    const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (length + 1 - index), 0);
    digits += ((sum * 10) % 11) % 10;
  }
  return digits;
}

type Environment = keyof typeof slugs;

async function payByPix(environment: Environment, buyer: number): Promise<string> {
  const agent = agents.get(environment) ?? new Agent({ localAddress: networks[environment] });
  agents.set(environment, agent);
  const path = `/pay/l/${slugs[environment]}`;
  await open(path, agent);
  const payer = { payerName: `Comprador ${buyer}`, payerDocument: cpfOf(buyer) };
  return open(path, agent, new URLSearchParams({ ...payer, method: 'PIX' }));
}

test.each(['production', 'sandbox'] as const)(
  '200 buyers of one address in %s all get codes',
  async (environment) => {
    const buyers = Array.from({ length: BUYERS }, (_, buyer) => payByPix(environment, buyer));
    const pages = await Promise.all(buyers);

    expect(refused).toEqual([]);
    expect(pages.filter((page) => page.includes('000201'))).toHaveLength(BUYERS);
  },
  300_000,
);
