import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

const inflate = promisify(inflateRaw);

/**
 * The signatures of zip files, from PKWARE's APPNOTE.TXT 6.3.10: section 4.3.12 (central directory) and
 * section 4.3.16 (its end).
 */
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

/**
 * Returns one file from a zip archive in memory. Encryption and ZIP64 are not supported. Throws if the file
 * is missing or the archive is damaged.
 */
export async function unzipEntry(zip: Buffer, name: string): Promise<Buffer> {
  const end = zip.lastIndexOf(uint32(END_SIGNATURE), zip.length - END_BYTES);
  if (end < 0) throw new Error('this is not a zip file');
  const count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (zip.readUInt32LE(at) !== ENTRY_SIGNATURE) throw new Error('the zip is damaged');
    const nameBytes = zip.readUInt16LE(at + 28);
    if (zip.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes) === name) return read(zip, at);
    at += ENTRY_BYTES + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`the zip has no ${name}`);
}

async function read(zip: Buffer, entry: number): Promise<Buffer> {
  const method = zip.readUInt16LE(entry + 10);
  const packedBytes = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  // The length of the extra field is read from the local header, because it may differ from the length in the
  // central directory.
  const start = local + LOCAL_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(start, start + packedBytes);
  if (method === STORED) return packed;
  if (method === DEFLATED) return inflate(packed);
  throw new Error(`the zip is packed by method ${method}`);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
