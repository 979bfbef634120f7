import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { barriersInModes } from '@plataforma/testing/browser';
import { anOrder, enter, world } from '../support/browser-world.ts';

export function testLogo(): void {
  const WITHOUT_WEBP = `(() => {
    const write = HTMLCanvasElement.prototype.toBlob;
    HTMLCanvasElement.prototype.toBlob = function (done, type) {
      write.call(this, done, type === 'image/webp' ? 'image/png' : type);
    };
  })()`;

  /** Code that draws random noise, which is too large as PNG, like a photo. The left edge is transparent. */
  const PHOTO = `(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 336, height: 120 });
    const context = canvas.getContext('2d');
    const image = context.createImageData(336, 120);
    image.data.forEach((_byte, at) => {
      const isEdge = (at >> 2) % 336 < 16;
      image.data[at] = at % 4 === 3 ? (isEdge ? 0 : 255) : 100 + Math.random() * 64;
    });
    context.putImageData(image, 0, 0);
    return canvas.toDataURL().split(',')[1];
  })()`;

  const EDGE = `(() => {
    const context = document.createElement('canvas').getContext('2d');
    context.drawImage(document.querySelector('figure img'), 0, 0);
    return [...context.getImageData(2, 60, 1, 1).data];
  })()`;

  test('from a photo becomes a white-backed JPEG without WebP support', async () => {
    const visit = await world.visit();
    const { page } = visit;
    await page.addInitScript(WITHOUT_WEBP);
    await enter(visit, world.demo);
    await page.goto('/test/payment-links/new');
    await page.getByLabel('Descrição').fill('Ensaio de fotos');
    await page.locator('input[name=amount]').fill('25000');
    const buffer = Buffer.from(String(await page.evaluate(PHOTO)), 'base64');
    expect(buffer.length).toBeGreaterThan(64 * 1024);

    await page.getByLabel('Logotipo').setInputFiles({ name: 'foto.png', mimeType: 'image/png', buffer });
    await page.locator('figure img').waitFor();
    const logo = await page.locator('figure img').getAttribute('src');
    const edge = await page.evaluate<number[]>(EDGE);
    await page.getByRole('button', { name: 'Criar link' }).press('Enter');
    await page.waitForURL(/\/test\/payment-links\/[0-9a-f-]{36}$/);

    expect(logo).toMatch(/^data:image\/jpeg;base64,/);
    expect(Math.min(...edge)).toBeGreaterThan(240);
    const id = page.url().split('/').at(-1);
    expect(await world.read(`/v1/payment-links/${id}`)).toMatchObject({ logo });
    await visit.leave();
  });

  test('of the account is previewed, then shown to buyers', async () => {
    const visit = await world.visit();
    const { page } = visit;
    const buffer = await readFile(new URL('../../../../docs/images/home.png', import.meta.url));
    const { id } = await world.make('/v1/charges', anOrder());
    await enter(visit, world.demo);
    await page.goto('/test/settings');
    const form = page.locator('form', { has: page.getByLabel('Cor da sua marca') });
    const save = form.getByRole('button', { name: 'Salvar' });
    const shown = form.locator('figure img');
    await form.getByLabel('Logotipo').setInputFiles({ name: 'loja.png', mimeType: 'image/png', buffer });
    await shown.waitFor();
    const source = await shown.getAttribute('src');
    const buyer = await visit.context.newPage();
    await buyer.goto(`/pay/${id}`);
    const unsaved = await buyer.locator('img.logo').count();
    expect(await barriersInModes(page)).toEqual([]);
    await save.press('Enter');
    await page.getByRole('status').getByText('Alterações salvas').waitFor();

    await buyer.reload();
    expect(unsaved).toBe(0);
    const image = await buyer.request.get(String(await buyer.locator('img.logo').getAttribute('src')));
    expect(`data:${image.headers()['content-type']};base64,${(await image.body()).toString('base64')}`).toBe(
      source,
    );
    await page.goto('/test/payment-links/new');
    await page.locator('figure img').waitFor();
    expect(await page.locator('figure img').getAttribute('src')).toBe(source);
    await page.goto('/test/settings');
    await form.getByRole('button', { name: 'Tirar logotipo' }).press('Enter');
    await shown.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement?.name')).toBe('logo');
    await save.press('Enter');
    await page.getByRole('status').getByText('Alterações salvas').waitFor();
    await buyer.reload();
    expect(await buyer.locator('img.logo').count()).toBe(0);
    await visit.leave();
  });
}
