import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { z } from 'zod';
import { world } from '../support/browser-world.ts';
import { chargesOf, newLink } from '../support/buyer.ts';

export function testCrowd(): void {
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

  /** Submits the form of a payment link as a browser without script does, and follows the redirect. */
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

  test('takes three payments for three uses and informs the others', async () => {
    const link = await newLink({ uses: 3 });
    const opened = await Promise.all(
      Array.from({ length: BUYERS }, () => get(link.path, 'none').then((page) => page.text())),
    );

    const all = await Promise.all(
      Array.from({ length: BUYERS }, (_, index) => choose(link.slug, index, index % 2 ? 'PIX' : 'CARD')),
    );

    expect(opened.filter((text) => text.includes('Pagar com cartão'))).toHaveLength(BUYERS);
    const withForm = all.filter(({ text }) => text.includes('id="card-number"'));
    const withCode = all.filter(({ text }) => text.includes('000201'));
    expect([withForm.length, withCode.length]).toEqual([BUYERS / 2, BUYERS / 2]);

    const first = withForm.slice(0, 2);
    expect(await Promise.all(first.map(({ to }) => payByCard(to)))).toEqual([200, 200]);
    const waiting = (await chargesOf(link)).find(({ status }) => status === 'PENDING');
    await world.bank.control(`/pix/${waiting?.txid}/pay`, {});
    await eventually(async () => {
      const statuses = (await chargesOf(link)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([...Array(BUYERS / 2 - 1).fill('CANCELLED'), ...Array(3).fill('PAID')]);
    });
    expect(await payByCard(withForm[2]?.to ?? '')).toBe(409);
    for (const { to } of withForm.slice(2)) {
      const { pathname } = new URL(to, world.webUrl);
      const page = await get(pathname.replace(/\/card$/, ''));
      expect(await page.text()).toContain('Este link já foi pago');
      expect((await get(pathname)).status).toBe(303);
    }
    const [counted] = await world.list('/v1/payment-links?limit=1');
    expect(counted).toMatchObject({ usesTaken: 3, payments: 3, status: 'USED_UP', visits: BUYERS });
    expect(await (await get(link.path)).text()).toContain('Este link já foi pago');
  });
}
