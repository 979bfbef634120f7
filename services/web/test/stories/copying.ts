import { beforeAll, expect, test } from '@jest/globals';
import { anOrder, enterForEach, world } from '../support/browser-world.ts';

/** Browsers in which a page can't write to the clipboard, because the clipboard API is missing or refuses. */
const CLIPBOARDS = [
  ['is missing', `Object.defineProperty(navigator, 'clipboard', { value: undefined })`],
  [
    'refuses',
    `navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))`,
  ],
] as const;
const NO_COMMANDS = [
  ['copies nothing', '() => false'],
  ['is undefined', 'undefined'],
  ['throws', `() => { throw new DOMException('', 'InvalidStateError'); }`],
] as const;
/** Records the texts that the page's copy events put on the clipboard. */
const WATCH = `addEventListener('copy', (event) => {
  globalThis.copied = event.defaultPrevented
    ? event.clipboardData.getData('text/plain')
    : String(getSelection());
})`;

export function testCopying(): void {
  const visit = enterForEach();
  let charge: Record<string, unknown>;
  let link: Record<string, unknown>;

  beforeAll(async () => {
    charge = await world.make('/v1/charges', anOrder());
    link = await world.make('/v1/payment-links', { description: 'Aula de violão', amount: 4_990 });
  });

  /** Every copy button: its page, its name and the text that it copies. */
  const copyButtons = (): readonly [page: string, button: string | RegExp, text: unknown][] => [
    [`/pay/${charge.id}`, 'Copiar código Pix', charge.qrCode],
    [`/test/charges/${charge.id}`, 'Copiar código Pix', charge.qrCode],
    [`/test/payment-links/${link.id}`, 'Copiar link', link.url],
    ['/test/payment-links', /^Copiar .*Aula de violão/, link.url],
  ];

  const evaluate = (script: string) => visit.page.evaluate(script);
  const SELECTED = `(() => {
    const field = document.activeElement;
    return 'selectionStart' in field
      ? field.value.slice(field.selectionStart, field.selectionEnd)
      : String(getSelection()).trim();
  })()`;

  test.each(CLIPBOARDS)('copies the shown text when the clipboard %s', async (_how, script) => {
    await visit.context.addInitScript(`${script};${WATCH}`);
    for (const [path, name, text] of copyButtons()) {
      await visit.page.goto(path);
      await visit.page.getByRole('button', { name }).first().click();
      await visit.page
        .getByText(/^(Código copiado|Copiado)$/)
        .first()
        .waitFor();
      expect([path, await evaluate('copied')]).toEqual([path, text]);
    }
  });

  test.each(NO_COMMANDS)('selects the text when the copy command %s', async (_how, command) => {
    await visit.context.addInitScript(`${CLIPBOARDS[1][1]};document.execCommand = ${command}`);
    for (const [path, name, text] of copyButtons()) {
      await visit.page.goto(path);
      await visit.page.getByRole('button', { name }).first().click();
      await visit.page.getByText(/O navegador não copiou.*Ctrl\+C/).waitFor();
      expect([path, await evaluate(SELECTED)]).toEqual([path, text]);
    }
  });

  test('of a new key copies it without a clipboard', async () => {
    const { page } = visit;
    await visit.context.addInitScript(`${CLIPBOARDS[0][1]};${WATCH}`);
    await page.goto('/test/developers/keys');
    await page.getByRole('button', { name: 'Nova chave' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Nome').fill('Loja de teste');
    await page.keyboard.press('Enter');
    await dialog.getByText('Só aparece agora').waitFor();
    await dialog.getByRole('button', { name: 'Copiar' }).click();
    await dialog.getByText('Copiado').waitFor();

    expect(await evaluate('copied')).toBe((await dialog.locator('pre').textContent())?.trim());
  });
}
