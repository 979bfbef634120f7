import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A certificate and its private key, both in PEM format. */
export interface Certificate {
  cert: string;
  key: string;
}

export interface Authority extends Certificate {
  /** Issues a certificate that is valid for servers on this machine and for clients. */
  issue(name: string): Promise<Certificate>;
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** Creates a certificate authority with the program openssl of this machine. */
export async function createAuthority(name: string): Promise<Authority> {
  const authority = await inFolder(async (folder) => {
    const at = pathsIn(folder);
    await openssl('req', '-x509', ...NEW_KEY, '-days', '2', '-subj', `/CN=${name}`, ...at.output);
    return at.read();
  });
  return { ...authority, issue: (subject) => issue(authority, subject) };
}

function issue(authority: Certificate, name: string): Promise<Certificate> {
  return inFolder(async (folder) => {
    const at = pathsIn(folder);
    const [request, extensions, caCert, caKey] = ['r.csr', 'x.cnf', 'ca.pem', 'ca.key'].map((file) =>
      join(folder, file),
    );
    if (!request || !extensions || !caCert || !caKey) throw new Error('there are four');
    await writeFile(extensions, 'subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n');
    await writeFile(caCert, authority.cert);
    await writeFile(caKey, authority.key);
    await openssl('req', ...NEW_KEY, '-subj', `/CN=${name}`, '-keyout', at.key, '-out', request);
    await openssl(
      ...['x509', '-req', '-in', request, '-CA', caCert, '-CAkey', caKey, '-CAcreateserial'],
      ...['-days', '2', '-extfile', extensions, '-out', at.cert],
    );
    return at.read();
  });
}

function pathsIn(folder: string) {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const read = async () => ({ cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') });
  return { cert, key, read, output: ['-keyout', key, '-out', cert] };
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'certificates-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function openssl(...args: string[]): Promise<void> {
  await run('openssl', args);
}
