/** The browser's BarcodeDetector, where it exists. */
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

/** Returns the text of the code in the camera's picture, or null. */
export type Scan = (video: HTMLVideoElement) => Promise<string | null>;

/** Opens the browser's detector. Loads our own decoder where the browser has none or can't read QR codes. */
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
