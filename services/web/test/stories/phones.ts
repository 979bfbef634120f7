import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Visit } from '@plataforma/testing/browser';
import { newCnpj } from '@plataforma/testing/fixtures';
import { z } from 'zod';
import { enter, send, world } from '../support/browser-world.ts';
import { OURS } from '../support/world.ts';

type Page = Visit['page'];

/** Phone numbers as a merchant types them, each with the number that the account stores. */
const NUMBERS = [
  ['+55 11 98765-4321', '11987654321'],
  ['+5511987654321', '11987654321'],
  ['+55 (11) 3333-4444', '1133334444'],
  ['011 98765-4321', '11987654321'],
  ['(55) 98765-4321', '55987654321'],
] as const;

const WAYS = [
  ['typed', (page: Page, text: string) => page.keyboard.type(text)],
  ['pasted', (page: Page, text: string) => page.keyboard.insertText(text)],
] as const;

const account = z.object({ data: z.object({ phone: z.string() }) });

export function testPhones(): void {
  let visit: Visit;
  let accounts = 0;

  beforeEach(async () => {
    visit = await world.visit();
  });

  afterEach(() => visit.leave());

  /** Sends the form and returns the phone number that the account then has. */
  async function savedPhone(): Promise<string> {
    const { page } = visit;
    const answered = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.getByLabel('Telefone').press('Enter');
    await answered;
    // The button ignores clicks while the form is being sent, so the test waits until the form was sent.
    await page.locator('form:has([name="phone"]) button[aria-busy="false"]').waitFor();
    return phoneOf();
  }

  const phoneOf = async () => {
    const answer = await visit.context.request.get('/api/v1/account', { headers: OURS });
    return account.parse(await answer.json()).data.phone;
  };

  test.each(WAYS)('that is %s is saved in the settings', async (_way, write) => {
    await enter(visit, world.demo);
    const { page } = visit;
    await page.goto('/test/settings');
    const saved = [];
    for (const [text] of NUMBERS) {
      await page.getByLabel('Telefone').selectText();
      await write(page, text);
      saved.push([text, await savedPhone()]);
    }

    expect(saved).toEqual(NUMBERS);
  });

  test('stays the same when the settings are saved untouched', async () => {
    await enter(visit, world.demo);
    for (const phone of ['1133334444', '55987654321', '+14155552671', '11987654321']) {
      await send(visit, 'PATCH', '/api/v1/account', { phone });
      await visit.page.goto('/test/settings');

      expect(await savedPhone()).toBe(phone);
    }
  });

  test.each(WAYS)('that is %s is saved by a registration', async (_way, write) => {
    const { page } = visit;
    const [text, phone] = NUMBERS[0];
    accounts += 1;
    await page.goto('/register');
    await page.getByLabel('CNPJ').fill(newCnpj());
    await page.getByLabel('Nome da empresa').fill('Padaria da Ana');
    await page.getByLabel('E-mail').fill(`fone-${Date.now()}-${accounts}@exemplo.com.br`);
    await page.getByLabel('Senha').fill('uma senha bem longa');
    await page.getByLabel('Telefone').focus();
    await write(page, text);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/test');

    expect(await phoneOf()).toBe(phone);
  });
}
