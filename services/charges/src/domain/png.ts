/**
 * Returns the number of pixels that the header of a PNG declares (PNG, 11.2.2). A reader may need four bytes
 * of memory for each, even if the file is small.
 */
export function pixelsOf(png: Buffer): number {
  return png.length < 24 ? 0 : png.readUInt32BE(16) * png.readUInt32BE(20);
}
