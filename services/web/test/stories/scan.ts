import { afterEach, expect, test } from '@jest/globals';
import type { Visit } from '@plataforma/testing/browser';
import { anOrder, enter, world } from '../support/browser-world.ts';

export function testScan(): void {
  let visit: Visit;

  afterEach(() => visit.leave());

  /** Code that simulates a camera with a fixed picture, and a browser without BarcodeDetector. */
  const cameraSeeing = (picture: string) => `
    delete globalThis.BarcodeDetector;
    navigator.mediaDevices.getUserMedia = async () => {
      const image = new Image();
      image.src = ${JSON.stringify(picture)};
      await image.decode();
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width: 1280, height: 960 });
      const draw = () => {
        const context = canvas.getContext('2d');
        context.fillStyle = 'white';
        context.fillRect(0, 0, 1280, 960);
        context.drawImage(image, 300, 140, 680, 680);
      };
      setInterval(draw, 50);
      draw();
      return canvas.captureStream(20);
    };`;

  test('reads a Pix code from the camera without BarcodeDetector', async () => {
    const charge = await world.make('/v1/charges', anOrder());
    visit = await world.visit({ refusals: [401, 400, 422] });
    await visit.context.addInitScript(cameraSeeing(String(charge.qrCodeBase64)));
    await enter(visit, world.demo);
    const { page } = visit;
    await page.goto('/test/withdrawals/new');
    await page.getByRole('button', { name: 'Código Pix' }).click();
    const sentRequest = page.waitForRequest('**/decode-qr');

    await page.getByRole('button', { name: 'Ler com a câmera' }).click();

    expect((await sentRequest).postDataJSON()).toEqual({ brCode: charge.qrCode });
  });
}
