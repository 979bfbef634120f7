import { crc32, inflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { create, type QRCodeOptions } from 'qrcode';
import { qrImageDataUri } from '../src/index.ts';
import { MASK, memoized } from '../src/qr-image.ts';
import published from './vectors.json' with { type: 'json' };

const PREFIX = 'data:image/png;base64,';
const QUIET = 4;
const SCALE = 8;

function chunksOf(uri: string) {
  const png = Buffer.from(uri.slice(PREFIX.length), 'base64');
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const chunks: { type: string; content: Buffer }[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const typed = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(typed));
    chunks.push({ type: typed.toString('latin1', 0, 4), content: typed.subarray(4) });
    at += 12 + length;
  }
  return chunks;
}

function decode(uri: string) {
  const [header, image, end, ...more] = chunksOf(uri);
  expect([header?.type, image?.type, end?.type, more.length]).toEqual(['IHDR', 'IDAT', 'IEND', 0]);
  const ihdr = header?.content ?? Buffer.alloc(0);
  expect([...ihdr.subarray(8)]).toEqual([1, 0, 0, 0, 0]);
  const width = ihdr.readUInt32BE(0);
  const height = ihdr.readUInt32BE(4);
  return { width, height, lines: unfilter(inflateSync(image?.content ?? Buffer.alloc(0)), width / 8) };
}

/** Removes the PNG filters None and Up (PNG, third edition, §9.2). */
function unfilter(raw: Buffer, bytesPerLine: number): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < raw.length; at += bytesPerLine + 1) {
    const filter = raw.readUInt8(at);
    expect([0, 2]).toContain(filter);
    const above = lines.at(-1);
    const line = Buffer.from(raw.subarray(at + 1, at + 1 + bytesPerLine));
    if (filter === 2) {
      for (const [index, byte] of line.entries()) line[index] = (byte + (above?.[index] ?? 0)) % 256;
    }
    lines.push(line);
  }
  return lines;
}

function darkPixel(line: Buffer, x: number): boolean {
  return ((line.readUInt8(x >> 3) >> (7 - (x & 7))) & 1) === 0;
}

test('images are cached, and the least recently read is dropped', () => {
  const drawn: string[] = [];
  const draw = (text: string) => {
    drawn.push(text);
    return `image of ${text}`;
  };
  const imageOf = memoized(draw, 2);

  expect(['a', 'a', 'b', 'a', 'c', 'b', 'a'].map(imageOf)).toEqual(
    ['a', 'a', 'b', 'a', 'c', 'b', 'a'].map((text) => `image of ${text}`),
  );
  expect(drawn).toEqual(['a', 'b', 'c', 'b', 'a']);
});

function symbolOf(text: string, mask: Pick<QRCodeOptions, 'maskPattern'> = {}) {
  return create([{ mode: 'byte', data: Buffer.from(text) }], { errorCorrectionLevel: 'M', ...mask });
}

function drawnWrong(text: string): number {
  const { width, height, lines } = decode(qrImageDataUri(text));
  const { modules } = symbolOf(text, { maskPattern: MASK });
  expect([width, height, lines.length]).toEqual(Array(3).fill((modules.size + 2 * QUIET) * SCALE));

  let wrong = 0;
  lines.forEach((line, y) => {
    for (let x = 0; x < width; x += 1) {
      const row = Math.floor(y / SCALE) - QUIET;
      const column = Math.floor(x / SCALE) - QUIET;
      const isInside = Math.min(row, column) >= 0 && Math.max(row, column) < modules.size;
      if (darkPixel(line, x) !== (isInside && modules.get(row, column) === 1)) wrong += 1;
    }
  });
  return wrong;
}

describe('a QR image', () => {
  test.each(published.vectors.slice(0, 4))(
    'of the published code $id shows every module and the quiet zone',
    (vector) => {
      expect(drawnWrong(vector.brcode)).toBe(0);
    },
  );

  test('of any text shows every module and the quiet zone', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
        (text) => drawnWrong(text) === 0,
      ),
      { numRuns: 20 },
    );
  });

  test('of a Pix code stays below 3 kB', () => {
    const longest = Math.max(
      ...published.vectors.map(({ brcode }) => qrImageDataUri(brcode.slice(0, 250)).length),
    );

    expect(longest).toBeLessThan(3000);
  });

  test('of most published codes has the optimal mask', () => {
    const searched = published.vectors.map(({ brcode }) => symbolOf(brcode).maskPattern);

    expect(searched.filter((mask) => mask === MASK).length).toBeGreaterThan(searched.length * 0.75);
  });

  test('is the same for the same text', () => {
    expect(qrImageDataUri('pix')).toBe(qrImageDataUri('pix'));
  });

  test.each(['', 'x'.repeat(2332)])('of an empty or too long text is an error', (text) => {
    expect(() => qrImageDataUri(text)).toThrow(Error);
  });
});
