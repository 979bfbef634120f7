import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, textOf } from '../context.ts';
import { isRecord } from '../records.ts';
import { WrongUse } from '../wrong-use.ts';
import { listen } from './listen.ts';
import { ensureLogIn, requireProfileOf } from './login.ts';

const DEFAULT_TARGET = 'http://localhost:3000/webhooks';

/**
 * Logs in to the demo account of the local platform that `npm start` runs, and listens to the account's
 * events.
 */
export const dev: Command = {
  isEndless: true,
  options: { ...listen.options },
  async run(context) {
    const { terminal, words, values } = context;
    const file = join(process.env.DATA_DIR || '.local', 'platform.json');
    const { baseUrl, email, password } = await factsIn(file).catch(() => {
      throw new WrongUse(words.noPlatform(file));
    });
    requireProfileOf(baseUrl, context);
    await ensureLogIn(context, { baseUrl, email, password });
    terminal.info(words.loggedInAs(email, context.profile));
    const target = textOf(context, 'forward-to') ?? DEFAULT_TARGET;
    await listen.run({ ...context, values: { ...values, 'forward-to': target } });
  },
};

/** Reads the API's address and the demo account's log-in from the file that `npm start` writes. */
async function factsIn(file: string): Promise<{ baseUrl: string; email: string; password: string }> {
  const facts: unknown = JSON.parse(await readFile(file, 'utf8'));
  const demo = isRecord(facts) && isRecord(facts.demo) ? facts.demo : {};
  const baseUrl = isRecord(facts) ? String(facts.baseUrl) : '';
  return { baseUrl, email: String(demo.email), password: String(demo.password) };
}
