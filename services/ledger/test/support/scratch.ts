import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for a server of a test's own; PostgreSQL may run under another account, which has to pass through. */
export function scratchFolder(): { dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), 'plataforma-scratch-'));
  chmodSync(dir, 0o711);
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
