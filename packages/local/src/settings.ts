import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const settings = z.object({ password: z.string(), ports: z.array(z.number()) });

export type Settings = z.infer<typeof settings>;

const file = (dir: string) => join(dir, 'settings.json');

/**
 * Reads the settings that an earlier start stored in the folder, or returns new settings with a random
 * password.
 */
export async function recallSettings(dir: string): Promise<Settings> {
  const text = await readFile(file(dir), 'utf8').catch(() => null);
  if (text !== null) return settings.parse(JSON.parse(text));
  return { password: randomBytes(18).toString('base64url'), ports: [] };
}

export async function rememberSettings(dir: string, value: Settings): Promise<void> {
  await writeFile(`${file(dir)}.new`, `${JSON.stringify(value)}\n`, { mode: 0o600 });
  await rename(`${file(dir)}.new`, file(dir));
}
