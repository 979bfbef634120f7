import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { bodyOfLogIn } from './operator-login.ts';

const facts = z.object({
  operator: z.object({ email: z.string(), password: z.string(), totpSecret: z.string().nullable() }),
});

/** Prints the body of a log-in of the first operator, with a code of the second factor. */
async function printLogIn(dataDir: string): Promise<void> {
  const text = await readFile(join(dataDir, 'platform.json'), 'utf8');
  process.stdout.write(`${JSON.stringify(bodyOfLogIn(facts.parse(JSON.parse(text)).operator))}\n`);
}

await printLogIn(process.env.DATA_DIR ?? '.local');
