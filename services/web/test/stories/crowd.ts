import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { z } from 'zod';
import type { BrowserWorld } from '../support/browser-world.ts';
import { chargesOf, newLink } from '../support/buyer.ts';

export function tellCrowd(theWorld: () => BrowserWorld): void {
  let world: BrowserWorld;

  beforeAll(() => {
    world = theWorld();
  });

  const BUYERS = 20;
  const OURS = { 'sec-fetch-site': 'same-origin' };
  const tokenized = z.object({ id: z.string() });
  const shown = z.object({
    data: z.object({ card: z.object({ tokenizeUrl: z.string(), publicKey: z.string() }) }),
  });

  const get = (path: string, site = 'same-origin') =>
    fetch(new URL(path, world.webUrl), { redirect: 'manual', headers: { 'sec-fetch-site': site } });
  const post = (path: string, headers: Record<string, string>, body: string) =>
    fetch(new URL(path, world.webUrl), {
      method: 'POST',
      redirect: 'manual',
      headers: { ...OURS, ...headers },
      body,
    });

  /** As a page of a browser without script sends it; where that leads is looked at, too. */
  async function choose(slug: string, index: number, method: 'PIX' | 'CARD') {
    const document = String(10_000_000_000 + index);
    const form = new URLSearchParams({ payerName: `Comprador ${index}`, payerDocument: document, method });
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await post(`/pay/l/${slug}`, type, String(form));
    const to = answer.headers.get('location');
    const page = to === null ? answer : await get(to);
    return { to: to ?? '', text: await page.text() };
  }

  async function payByCard(path: string): Promise<number> {
    const id = /\/pay\/c\/([0-9a-f-]{36})/.exec(path)?.[1];
    const { card } = shown.parse(await (await get(`/pay/c/${id}/state`)).json()).data;
    const json = { 'content-type': 'application/json', 'x-requested-with': 'plataforma' };
    const number = { number: '4000000000000010', holder_name: 'A', exp_month: 9, exp_year: 2035, cvv: '123' };
    const answer = await fetch(`${card.tokenizeUrl}?appId=${card.publicKey}`, {
      method: 'POST',
      headers: { ...json, origin: world.webUrl },
      body: JSON.stringify({ type: 'card', card: number }),
    });
    const { id: cardToken } = tokenized.parse(await answer.json());
    return (await post(`/pay/c/${id}/card`, json, JSON.stringify({ cardToken, installments: 1 }))).status;
  }

  test('a link of three uses that 20 buyers open at once: three pay, the others read so before any field of a card', async () => {
    const link = await newLink(world, { uses: 3 });
    const opened = await Promise.all(
      Array.from({ length: BUYERS }, () => get(link.path, 'none').then((page) => page.text())),
    );

    const all = await Promise.all(
      Array.from({ length: BUYERS }, (_, index) => choose(link.slug, index, index % 2 ? 'PIX' : 'CARD')),
    );

    expect(opened.filter((text) => text.includes('Pagar com cartão'))).toHaveLength(BUYERS);
    const withForm = all.filter(({ text }) => text.includes('id="card-number"'));
    const withCode = all.filter(({ text }) => text.includes('000201'));
    const others = all.filter((each) => !withForm.includes(each) && !withCode.includes(each));
    expect(withForm.length + withCode.length).toBe(3);
    const said = /Outra pessoa já pagou ou está pagando este link\.|Este link está sendo pago agora/;
    expect(others.filter(({ text }) => said.test(text))).toHaveLength(BUYERS - 3);
    for (const { to } of others.filter(({ to }) => to.startsWith('/pay/c/'))) {
      expect((await get(new URL(to, world.webUrl).pathname.replace(/$/, '/card'))).status).toBe(303);
    }

    expect(await Promise.all(withForm.map(({ to }) => payByCard(to)))).toEqual(withForm.map(() => 200));
    for (const { txid, status } of await chargesOf(world, link)) {
      if (status === 'PENDING') await world.bank.control(`/pix/${txid}/pay`, {});
    }
    await eventually(async () =>
      expect((await chargesOf(world, link)).map(({ status }) => status)).toEqual(Array(3).fill('PAID')),
    );
    const [counted] = await world.list('/v1/payment-links?limit=1');
    expect(counted).toMatchObject({ usesTaken: 3, payments: 3, status: 'USED_UP', visits: BUYERS });
    expect(await (await get(link.path)).text()).toContain('Este link já foi pago');
  });
}
