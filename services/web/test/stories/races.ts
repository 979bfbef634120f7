import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { eventually, rounds } from '@plataforma/testing';
import type { Visit } from '@plataforma/testing/browser';
import { world } from '../support/browser-world.ts';
import { chargesOf, type Link, newLink, sayWho, writeCard } from '../support/buyer.ts';

export function testRaces(): void {
  type Page = Visit['page'];

  const ROUNDS = rounds(100);
  const ROUND_MS = 30_000;
  const LONG_WAIT = { timeoutMs: 25_000, intervalMs: 100 };
  const [APPROVED, DECLINED] = ['4000 0000 0000 0010', '4000 0000 0000 0028'];

  /**
   * Returns a delay of at most `most` milliseconds. The delay differs between rounds, and is the same in
   * every run.
   */
  const delayOf = (round: number, what: number, most: number) => ((round * 7 + what * 13) * 37) % most;

  async function tabOf(visit: Visit, path: string): Promise<Page> {
    const page = await visit.context.newPage();
    await page.goto(path);
    return page;
  }

  /** Opens one visit in two tabs. The first tab shows a Pix code, and the second a completed card form. */
  async function twoTabs(visit: Visit, link: Link, card: string): Promise<[Page, Page]> {
    const first = await tabOf(visit, link.path);
    await sayWho(first);
    await first.getByText('Aguardando o pagamento').waitFor();
    const second = await tabOf(visit, new URL(first.url()).pathname);
    await second.getByRole('button', { name: 'Pagar com cartão' }).click();
    await second.getByRole('heading', { name: 'Cartão de crédito' }).waitFor();
    await writeCard(second, card);
    return [first, second];
  }

  /**
   * Sends the card and waits for the answer. If another tab has paid meanwhile, waits until the form shows
   * that payment.
   */
  async function payByCard(page: Page): Promise<void> {
    const answer = page.waitForResponse((response) => response.url().endsWith('/card'));
    const send = page.getByRole('button', { name: /^Pagar R\$/ }).click();
    await Promise.any([
      Promise.all([send, answer]),
      page.getByText('Pagamento confirmado').waitFor({ timeout: LONG_WAIT.timeoutMs }),
    ]);
  }

  /**
   * Pays the Pix code at the bank while the card is sent. In every third round the code expires at the same
   * time.
   */
  async function race(round: number, [, second]: [Page, Page], link: Link): Promise<void> {
    const [{ id, txid } = { id: '', txid: '' }] = await chargesOf(link);
    const expire = `UPDATE charges SET expires_at = now() - interval '1 s', next_check_at = now()
      WHERE id = $1`;
    await Promise.all([
      sleep(delayOf(round, 1, 700)).then(() => world.bank.control(`/pix/${txid}/pay`, {})),
      sleep(delayOf(round, 2, 120)).then(() => payByCard(second)),
      ...(round % 3 === 0
        ? [sleep(delayOf(round, 3, 500)).then(() => world.letPass('charges', expire, [id]))]
        : []),
    ]);
  }

  const stateOf = (page: Page) => page.locator('main').textContent();

  /**
   * Waits until both tabs show the result. If neither payment has succeeded, pays a new code in the first
   * tab.
   */
  async function awaitPaid([first, second]: [Page, Page], link: Link): Promise<void> {
    const decided = () =>
      eventually(async () => {
        const charges = await chargesOf(link);
        expect(charges.map(({ status }) => status)).not.toContain('PENDING');
        return charges.some(({ status }) => status === 'PAID');
      }, LONG_WAIT);
    if (!(await decided())) {
      await first.getByRole('button', { name: /^(Gerar novo código Pix|Pagar com Pix)$/ }).click();
      await first.getByText('Aguardando o pagamento').waitFor();
      const waiting = (await chargesOf(link)).find(({ status }) => status === 'PENDING');
      await world.bank.control(`/pix/${waiting?.txid}/pay`, {});
      await decided();
    }
    for (const tab of [first, second]) {
      await eventually(async () => expect(await stateOf(tab)).toContain('Pagamento confirmado'), LONG_WAIT);
    }
  }

  /** Returns the payments and the refunds of a link, as the bank has recorded them. */
  async function moneyOf(link: Link) {
    const charges = await chargesOf(link);
    const { payments, cardCharges, refunds } = await world.bank.truth();
    const pix = payments.filter(({ txid }) => charges.some((charge) => charge.txid === txid));
    const cards = cardCharges.filter(
      ({ code, status }) => status === 'paid' && charges.some(({ id }) => id === code),
    );
    const unmatched = (await world.list('/v1/unexpected-payments?limit=100')).filter(({ chargeId }) =>
      charges.some(({ id }) => id === chargeId),
    );
    const back = refunds.filter(
      ({ endToEndId, status }) => status === 'DEVOLVIDO' && pix.some((one) => one.endToEndId === endToEndId),
    );
    return { charges, pix, cards, unmatched, back };
  }

  test(
    `a Pix and a card together pay once, ${ROUNDS} times`,
    async () => {
      const winners = new Map<unknown, number>();
      let late = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        await world.letPass('gateway', 'DELETE FROM rate_counters');
        const link = await newLink({ uses: 1 });
        const visit = await world.visit({ width: 390, refusals: [402, 409, 503] });
        const tabs = await twoTabs(visit, link, round % 4 === 3 ? DECLINED : APPROVED);

        await race(round, tabs, link);
        await awaitPaid(tabs, link);

        await eventually(async () => {
          const { charges, pix, cards, unmatched, back } = await moneyOf(link);
          const paid = charges.filter(({ status }) => status === 'PAID');
          expect(paid).toHaveLength(1);
          expect(pix.length + cards.length - unmatched.length).toBe(1);
          expect(unmatched.map(({ status }) => status)).toEqual(Array(unmatched.length).fill('RETURNED'));
          expect(back).toHaveLength(unmatched.length);
        }, LONG_WAIT);
        const [shown] = (await world.list('/v1/payment-links?limit=1')).filter(({ id }) => id === link.id);
        expect(shown).toMatchObject({ usesTaken: 1, payments: 1, status: 'USED_UP' });
        await visit.leave();
        const { charges, unmatched } = await moneyOf(link);
        const winner = charges.find(({ status }) => status === 'PAID')?.paymentMethod;
        winners.set(winner, (winners.get(winner) ?? 0) + 1);
        late += unmatched.length;
      }
      const won = JSON.stringify(Object.fromEntries(winners));
      process.stdout.write(`${ROUNDS} races in the browser, won by ${won}; ${late} late Pix returned\n`);
      if (ROUNDS >= 50) expect([...winners.keys()].sort()).toEqual(['CARD', 'PIX']);
    },
    60_000 + ROUNDS * ROUND_MS,
  );
}
