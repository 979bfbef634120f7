import { expect, test } from '@jest/globals';
import { barriersInModes } from '@plataforma/testing/browser';
import { world } from '../support/browser-world.ts';
import { chargesOf, newLink, PAID, sayWho, writeCard, writeCardThenReadEnglish } from '../support/buyer.ts';

export function testCardPage(): void {
  test('keeps its text across languages and ends after a Pix', async () => {
    const link = await newLink();
    const visit = await world.visit({ width: 390 });
    const { page } = visit;
    await page.goto(link.path);
    await sayWho(page, 'Pagar com cartão');
    await page.waitForLoadState('load');
    const written = await writeCardThenReadEnglish(page);

    const other = await visit.context.newPage();
    await other.goto(new URL(page.url()).pathname.replace('/card', ''));
    await other.getByRole('button', { name: 'Pagar com Pix' }).click();
    await other.getByText('Aguardando o pagamento').waitFor();
    const [charge] = await chargesOf(link);
    await world.make(`/v1/charges/${charge?.id}/simulate-payment`);

    await page.getByRole('heading', { name: 'Payment confirmed' }).waitFor();
    await other.getByRole('heading', PAID).waitFor();
    expect(written).toEqual(['4000 0000 0000 0010', 'en']);
    await visit.leave();
  });

  test('ends with a reason after the fifth declined card', async () => {
    const link = await newLink();
    const visit = await world.visit({ width: 390, refusals: [402] });
    const { page } = visit;
    await page.goto(link.path);
    await sayWho(page, 'Pagar com cartão');
    await page.waitForLoadState('load');
    for (const left of [4, 3, 2, 1, 0]) {
      await writeCard(page, '4000 0000 0000 0028');
      await page.getByRole('button', { name: /^Pagar R\$/ }).click();
      if (left > 0) await page.getByRole('alert').waitFor();
      if (left > 0) await page.getByRole('button', { name: /^Pagar R\$/ }).waitFor();
    }

    await page.getByText('Muitos cartões foram recusados').waitFor();
    expect(await page.locator('#card-number').count()).toBe(0);
    expect(await barriersInModes(page)).toEqual([]);
    await visit.close();
  });
}
