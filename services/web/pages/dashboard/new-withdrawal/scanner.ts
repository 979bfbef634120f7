/** Of browsers that read codes by themselves. */
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

/** The text of the code that the camera sees; null while it sees none. */
export type Scan = (video: HTMLVideoElement) => Promise<string | null>;

/** A browser without a reader of its own, or with one that knows other codes only, loads ours when a code is scanned. */
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
