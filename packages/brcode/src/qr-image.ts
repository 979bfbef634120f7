import { constants, crc32, deflateSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { type BitMatrix, create } from 'qrcode';

const QUIET_ZONE_MODULES = 4;
/**
 * The width and the height of a module, which is one square of the symbol. A pixel has one bit, so a row of
 * eight pixels fills exactly one byte.
 */
const PIXELS_PER_MODULE = 8;
const LIGHT = 0xff;
const DARK = 0x00;

/**
 * The mask of each symbol. Readers accept all eight. A search for the mask with the lowest penalty (ISO/IEC
 * 18004, 7.8.3) takes ten times as long as the other steps. For Pix codes it nearly always finds this mask.
 */
export const MASK = 2;

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const BIT_DEPTH = 1;
const SAME_AS_LINE_ABOVE = 2;
/**
 * The buffers are small, because an image has about 2 KB. With buffers of zlib's default sizes, a third of
 * the compression time would go into the buffers.
 */
const DEFLATE = { level: 1, strategy: constants.Z_RLE, chunkSize: 4_096, memLevel: 6, windowBits: 10 };

/**
 * Returns the text as a QR symbol (ISO/IEC 18004) in a `data:image/png;base64,…` URI. The image has error
 * correction M, 8 pixels a module, a quiet zone of 4 modules and 1-bit greyscale. Takes a third of a
 * millisecond for a Pix code.
 *
 * Throws RangeError for an empty text, and Error for a text over 2331 bytes, the capacity of level M. Uses
 * one segment of bytes, because the search for the smallest mix of segments takes 50 % longer.
 */
function drawnDataUri(text: string): string {
  if (text === '') throw new RangeError('text must not be empty');
  const { modules } = create([{ mode: 'byte', data: Buffer.from(text, 'utf8') }], {
    errorCorrectionLevel: 'M',
    maskPattern: MASK,
  });
  return `data:image/png;base64,${png(modules).toString('base64')}`;
}

/** Returns a function that caches the `max` most recently used results of `draw`. */
export function memoized(draw: (text: string) => string, max: number): (text: string) => string {
  const results = new LRUCache<string, string>({ max, memoMethod: draw });
  return (text) => results.memo(text);
}

/**
 * Caches images, because a page requests its image repeatedly until the charge is paid. Each image has about
 * 3 KB.
 */
export const qrImageDataUri = memoized(drawnDataUri, 2_000);

function png(modules: BitMatrix): Buffer {
  const size = (modules.size + 2 * QUIET_ZONE_MODULES) * PIXELS_PER_MODULE;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.writeUInt8(BIT_DEPTH, 8);
  const pixels = deflateSync(scanLines(modules), DEFLATE);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * Returns the scan lines of the image. Only the first of the eight lines of a module has pixels. The other
 * seven are zeros with the PNG filter Up, which compress to almost nothing.
 */
function scanLines(modules: BitMatrix): Buffer {
  const across = modules.size + 2 * QUIET_ZONE_MODULES;
  const lineLength = 1 + across;
  const lines = Buffer.alloc(lineLength * across * PIXELS_PER_MODULE);
  for (let row = 0; row < across; row += 1) {
    const start = row * PIXELS_PER_MODULE * lineLength;
    lines.fill(LIGHT, start + 1, start + lineLength);
    for (let line = 1; line < PIXELS_PER_MODULE; line += 1)
      lines[start + line * lineLength] = SAME_AS_LINE_ABOVE;
  }
  for (let row = 0; row < modules.size; row += 1) {
    const start = (row + QUIET_ZONE_MODULES) * PIXELS_PER_MODULE * lineLength + 1 + QUIET_ZONE_MODULES;
    for (let column = 0; column < modules.size; column += 1) {
      if (modules.get(row, column)) lines[start + column] = DARK;
    }
  }
  return lines;
}

function chunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(content.length, 0);
  typed.copy(framed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}
