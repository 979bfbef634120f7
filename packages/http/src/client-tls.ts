import { readFileSync } from 'node:fs';
import type { ClientTls } from './json-client.ts';

/** Certificate, key and authorities from PEM files; none without a certificate and its key. */
export function readClientTls(files: {
  certFile: string | undefined;
  keyFile: string | undefined;
  caFile: string | undefined;
}): { tls?: ClientTls } {
  const { certFile, keyFile, caFile } = files;
  if (!certFile || !keyFile) return {};
  const pem = (file: string) => readFileSync(file, 'utf8');
  return { tls: { cert: pem(certFile), key: pem(keyFile), ...(caFile ? { ca: pem(caFile) } : {}) } };
}
