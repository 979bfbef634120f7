/** The part of the browser's BarcodeDetector that this file uses. Some browsers have no BarcodeDetector. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

interface Detectors {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

declare global {
  var BarcodeDetector: Detectors | undefined;
}

const QR = 'qr_code';

/** Returns the text of the QR code in the camera's picture, or null. */
export type Scan = (video: HTMLVideoElement) => Promise<string | null>;

/**
 * Returns a scanner that uses the browser's detector. If the browser can't read QR codes, it loads the
 * decoder in JavaScript.
 */
export async function openScanner(): Promise<Scan> {
  const own = await ownDetector();
  if (own) return async (video) => (await own.detect(video))[0]?.rawValue ?? null;
  const { createPictureReader } = await import('./read-picture.ts');
  const read = createPictureReader();
  return async (video) => read(video);
}

async function ownDetector(): Promise<Detector | null> {
  const Detectors = globalThis.BarcodeDetector;
  if (!Detectors) return null;
  const formats = await Detectors.getSupportedFormats().catch((): string[] => []);
  return formats.includes(QR) ? new Detectors({ formats: [QR] }) : null;
}
