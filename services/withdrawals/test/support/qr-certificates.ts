import { execFile } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { KeyPair } from './qr-bank.ts';

const run = promisify(execFile);

/** Returns a self-signed certificate of the key. The local program `openssl` creates it. */
export async function certificateOf({ privateKey }: KeyPair): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'qr-certificates-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    await writeFile(key, privateKey.export({ format: 'pem', type: 'pkcs8' }));
    await run('openssl', ['req', '-x509', '-key', key, '-days', '2', '-subj', '/CN=banco', '-out', cert]);
    return new X509Certificate(await readFile(cert)).raw;
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const thumbprint = (der: Buffer, hash: 'sha1' | 'sha256') => createHash(hash).update(der).digest();
