import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { eventually, evidenceForm, JPEG, PDF, PNG } from '@plataforma/testing';
import { disputeOf, enterForEach, paidCharge, world } from '../support/browser-world.ts';

export function testDisputeFiles(): void {
  const visit = enterForEach({ refusals: [401, 400, 409, 415, 503] });

  const MB = 1024 * 1024;
  const file = (name: string, buffer = PDF, mimeType = 'application/pdf') => ({ name, mimeType, buffer });

  async function disputed() {
    const { page } = visit;
    const id = await disputeOf(await paidCharge());
    await page.goto(`/test/disputes/${id}`);
    const rows = page.locator('fieldset li');
    return {
      ...{ page, rows, id },
      choose: (...files: ReturnType<typeof file>[]) =>
        page.getByLabel('Escolher arquivos').setInputFiles(files),
      row: (name: string) => rows.filter({ hasText: name }),
      focused: () =>
        page.evaluate<string>(
          `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.slice(0, 60)`,
        ),
    };
  }

  describe('evidence files of a dispute', () => {
    test('are added together, removed by keyboard, sent and downloaded', async () => {
      const { page, rows, choose, row, focused } = await disputed();
      await choose(file('entrega.pdf'), file('conversa.png', PNG), file('assinatura.jpg', JPEG));
      for (const name of ['entrega.pdf', 'conversa.png', 'assinatura.jpg']) {
        await row(name)
          .getByRole('button', { name: `Baixar ${name}` })
          .waitFor();
      }
      await row('entrega.pdf').getByText('1 kB').waitFor();

      await page.getByRole('button', { name: 'Remover entrega.pdf' }).press('Enter');

      await eventually(async () => expect(await rows.count()).toBe(2));
      // The focus must not move to the next remove button. Otherwise a held key would also remove the next
      // file.
      expect(await focused()).toBe('Baixar conversa.png');
      await page.getByLabel('O que aconteceu').fill('Entregue e assinado.');
      await page.getByRole('button', { name: 'Enviar defesa' }).press('Enter');
      await page.getByRole('button', { name: 'Enviar agora' }).press('Enter');
      await page.getByText('Em análise').first().waitFor();
      await eventually(async () => expect(await focused()).toBe('Sua defesa'));
      expect(await page.getByRole('button', { name: /^Remover/ }).count()).toBe(0);
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Baixar conversa.png' }).press('Enter');
      const download = await downloading;
      expect(download.suggestedFilename()).toBe('conversa.png');
      expect((await readFile(await download.path())).equals(PNG)).toBe(true);
    });

    test('can be dropped on the page', async () => {
      const { page, row } = await disputed();
      await page.getByText('ou solte aqui').waitFor();

      await page.evaluate(`(() => {
        const files = new DataTransfer();
        files.items.add(new File(['%PDF-1.7'], 'nota.pdf', { type: 'application/pdf' }));
        const place = document.querySelector('input[type=file]').parentElement;
        const init = { bubbles: true, cancelable: true, dataTransfer: files };
        place.dispatchEvent(new DragEvent('dragover', init));
        place.dispatchEvent(new DragEvent('drop', init));
      })()`);

      await row('nota.pdf').getByRole('button', { name: 'Remover nota.pdf' }).waitFor();
    });

    test('that are refused show a reason and block no others', async () => {
      const { page, rows, choose, row } = await disputed();

      await choose(
        file('grande.pdf', Buffer.concat([PDF, Buffer.alloc(2 * MB)])),
        file('pagina.pdf', Buffer.from('<html>')),
        file('cartão 4000 0000 0000 0010.pdf'),
        file('boa.pdf'),
      );

      await row('grande.pdf').getByText('Passa de 2 MB. Envie um arquivo menor.').waitFor();
      await row('pagina.pdf').getByText('O arquivo não é PDF, PNG nem JPEG.').waitFor();
      await row('cartão').getByText('O nome do arquivo parece ter um número de cartão').waitFor();
      await row('boa.pdf').getByRole('button', { name: 'Remover boa.pdf' }).waitFor();
      for (const name of ['grande.pdf', 'pagina.pdf', 'cartão']) {
        await row(name)
          .getByRole('button', { name: /^Tirar/ })
          .press('Enter');
      }
      await eventually(async () => expect(await rows.count()).toBe(1));
      await choose(...[1, 2, 3, 4, 5].map((number) => file(`${number}.pdf`)));
      await row('5.pdf').getByText('Uma contestação tem no máximo cinco arquivos.').waitFor();
      await row('4.pdf').getByRole('button', { name: 'Remover 4.pdf' }).waitFor();
      await page.getByText('A contestação já tem cinco arquivos. Remova um para enviar outro.').waitFor();
    });

    test('over the limit are sent after another one is refused', async () => {
      const { choose, row } = await disputed();

      await choose(
        ...[1, 2, 3, 4].map((number) => file(`${number}.pdf`)),
        file('pagina.pdf', Buffer.from('<html>')),
        file('6.pdf'),
      );

      await row('pagina.pdf').getByText('O arquivo não é PDF, PNG nem JPEG.').waitFor();
      await row('6.pdf').getByRole('button', { name: 'Remover 6.pdf' }).waitFor();
    });

    test('are sent again without an answer and stored once', async () => {
      const { page, id, choose, row } = await disputed();
      let isAway = true;
      await page.route('**/api/v1/files', async (route) => {
        if (!isAway) return route.continue();
        isAway = false;
        await route.fetch();
        await route.fulfill({
          status: 503,
          headers: { 'retry-after': '1' },
          json: { error: { code: 'X', message: '' } },
        });
      });

      await choose(file('entrega.pdf'));
      await page.getByText('Espere o envio dos arquivos terminar.').waitFor();
      expect(await page.getByRole('button', { name: 'Enviar defesa' }).getAttribute('aria-busy')).toBe(
        'true',
      );

      await row('entrega.pdf').getByRole('button', { name: 'Remover entrega.pdf' }).waitFor();
      const { files } = await world.read(`/v1/disputes/${id}`);
      expect(files).toMatchObject([{ name: 'entrega.pdf' }]);
    });

    test('are sent once despite redraws, and refusals can be dismissed', async () => {
      const { page, id, rows, choose, row } = await disputed();
      const gate = Promise.withResolvers<void>();
      const keys: unknown[] = [];
      await page.route('**/api/v1/files', async (route) => {
        keys.push(route.request().headers()['idempotency-key']);
        if (keys.length > 1) return route.continue();
        await gate.promise;
        const error = { code: 'VALIDATION_ERROR', message: 'file: is empty' };
        await route.fulfill({ status: 400, json: { error } });
      });
      await choose(file('lenta.pdf'), file('segunda.pdf'));
      await eventually(async () => expect(keys).toHaveLength(1));

      await world.make('/v1/files', evidenceForm(id, { name: 'outra.pdf' }));
      await row('outra.pdf').waitFor();
      gate.resolve();

      await row('lenta.pdf').getByRole('alert').getByText('Um campo é inválido.').waitFor();
      await row('segunda.pdf').getByRole('button', { name: 'Remover segunda.pdf' }).waitFor();
      await row('lenta.pdf').getByRole('button', { name: 'Tirar lenta.pdf da lista' }).press('Enter');
      await eventually(async () => expect(await rows.count()).toBe(2));
      expect([keys.length, new Set(keys).size]).toEqual([2, 2]);
      await page.getByText('Espere o envio dos arquivos terminar.').waitFor({ state: 'detached' });
    });

    test('of a dispute answered elsewhere are refused with a reason', async () => {
      const { page, id, choose, row } = await disputed();
      await world.make('/v1/files', evidenceForm(id, { name: 'outra.pdf' }));
      await row('outra.pdf').waitFor();
      // This read never gets an answer, so the page keeps showing the old state.
      await page.route(`**/api/v1/disputes/${id}`, () => undefined);
      await world.make(`/v1/disputes/${id}/evidence`, { description: 'Entregue.' });

      await choose(file('entrega.pdf'));
      await page.getByRole('button', { name: 'Remover outra.pdf' }).press('Enter');

      for (const name of ['entrega.pdf', 'outra.pdf']) {
        await row(name).getByRole('alert').getByText('A situação atual não permite este passo.').waitFor();
      }
    });
  });

  test('a deleted row passes the focus to the next element', async () => {
    const { page } = visit;
    for (const name of ['um', 'dois']) {
      const key = { type: 'PIX', pixKeyType: 'EMAIL', pixKey: `${name}@exemplo.com.br`, label: name };
      await world.make('/v1/destinations', key);
    }
    await page.goto('/test/destinations');
    const rows = page.locator('main tbody tr');
    const remove = async (name: string, left: number) => {
      await rows
        .filter({ hasText: `${name}@exemplo.com.br` })
        .getByRole('button')
        .press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Apagar', exact: true }).press('Enter');
      await eventually(async () => expect(await rows.count()).toBe(left));
    };
    await rows.nth(1).waitFor();

    await remove('dois', 1);
    const onNext = await page.evaluate(`document.activeElement.closest('tr')?.textContent ?? ''`);
    await remove('um', 0);
    const onRest = await page.evaluate(`document.activeElement.tagName`);

    expect(onNext).toContain('um@exemplo.com.br');
    expect(onRest).toBe('H2');
  });
}
