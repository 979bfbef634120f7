/**
 * Returns the number of pixels that the header of a PNG, JPEG or WebP declares, and 0 for an image without
 * a readable header. A reader may need four bytes of memory for each pixel, even if the file is small.
 */
export function pixelsOf(image: Buffer): number {
  if (image.subarray(0, 2).equals(JPEG)) return pixelsOfJpeg(image);
  if (image.toString('latin1', 0, 4) === 'RIFF') return pixelsOfWebp(image);
  return image.length < 24 ? 0 : image.readUInt32BE(16) * image.readUInt32BE(20);
}

const JPEG = Buffer.from('ffd8', 'hex');
/** Markers without a segment: fill bytes, restarts, TEM and the start of the image (JPEG, B.1.1.3). */
const isAlone = (marker: number) => marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8);
/** Markers of a frame's header: all from SOF0 to SOF15, without DHT, JPG and DAC. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Reads the first frame's header (JPEG, B.2.2). Like decoders, it skips other bytes between segments. */
function pixelsOfJpeg(image: Buffer): number {
  for (let at = 2; at + 9 <= image.length; ) {
    const marker = image[at + 1] ?? 0;
    if (image[at] !== 0xff || marker === 0xff || isAlone(marker)) at += 1;
    else if (isFrame(marker)) return image.readUInt16BE(at + 5) * image.readUInt16BE(at + 7);
    else at += 2 + image.readUInt16BE(at + 2);
  }
  return 0;
}

/** The longest header of a WebP in bytes. A shorter file is read as if zeros followed it. */
const WEBP_HEADER = 30;

/** Reads the first chunk (RFC 9649, 2.5 to 2.7): a lossy image, a lossless image, or a canvas. */
function pixelsOfWebp(image: Buffer): number {
  const header = Buffer.concat([image.subarray(0, WEBP_HEADER)], WEBP_HEADER);
  const kind = header.toString('latin1', 12, 16);
  if (kind === 'VP8X') return (header.readUIntLE(24, 3) + 1) * (header.readUIntLE(27, 3) + 1);
  if (kind === 'VP8 ') return (header.readUInt16LE(26) & 0x3fff) * (header.readUInt16LE(28) & 0x3fff);
  if (kind !== 'VP8L') return 0;
  const sides = header.readUInt32LE(21);
  return ((sides & 0x3fff) + 1) * (((sides >>> 14) & 0x3fff) + 1);
}
