import { readFile } from 'node:fs/promises';
import { ApiError } from '@plataforma/sdk';
import { type Command, type Context, textOf } from '../context.ts';
import { isRecord } from '../records.ts';
import { decoded } from '../text-file.ts';
import { type Fixture, fixtures, liveUpdates } from '../trigger/fixtures.ts';
import { fixtureOf, play } from '../trigger/play.ts';
import { WrongUse } from '../wrong-use.ts';

const AMOUNT = 2_500;

/** Causes an event in the sandbox by the same API calls that cause the event in production. */
export const trigger: Command = {
  takes: '<event|file.json>',
  options: { amount: { type: 'string' }, 'external-id': { type: 'string' }, print: { type: 'boolean' } },
  candidates: [...fixtures.keys()],
  async run(context) {
    const { words, terminal, operands, values, isJson, isLive, signal } = context;
    const [eventName] = operands;
    if (eventName === undefined || operands.length > 1)
      throw new WrongUse(words.triggers([...fixtures.keys()].join('\n  ')));
    if (isLive) throw new WrongUse(words.sandboxOnly);
    const fixture = await fixtureNamed(eventName, context);
    if (values.print) {
      terminal.print(JSON.stringify(fixture, null, 2));
      return;
    }
    const { transport } = context.connect();
    const answers = await play(fixture, givenBy(context), {
      send: ({ method, path, body }) => {
        const key = method === 'POST' ? { idempotencyKey: crypto.randomUUID() } : {};
        return transport.json(`${method} ${path}`, {
          ...(body === undefined ? {} : { body }),
          ...key,
          signal,
        });
      },
      isRefusal: (error, codes) => error instanceof ApiError && codes.includes(error.code),
      onStep: ({ method, path, answer }) => {
        const { id = '', status = '' } = isRecord(answer) ? answer : {};
        terminal.info(terminal.paint('dim', `${method.padEnd(6)} ${path}  ${status}  ${id}`));
      },
      onStop: ({ method, path }) => terminal.info(words.stoppedAt(`${method} ${path}`)),
      signal,
    });
    terminal.print(isJson ? JSON.stringify(answers) : words.triggered(fixture.event));
    if (liveUpdates.includes(fixture.event)) terminal.info(words.areLiveUpdates(fixture.event));
  },
};

async function fixtureNamed(name: string, { words }: Context): Promise<Fixture> {
  const named = fixtures.get(name);
  if (named) return named;
  if (!name.endsWith('.json')) throw new WrongUse(words.noSuchEvent(name, [...fixtures.keys()].join(', ')));
  const bytes = await readFile(name).catch((error) => {
    throw new WrongUse(words.unreadable(name, error.message));
  });
  return fixtureOf(parsed(decoded(bytes), name), name);
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WrongUse(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * Returns the values for the steps' placeholders. Each run has a new `externalId`, unless the command line
 * gives one.
 */
function givenBy(context: Context): Record<string, unknown> {
  const { words } = context;
  const amount = Number(textOf(context, 'amount') ?? AMOUNT);
  if (!Number.isSafeInteger(amount) || amount < 1) throw new WrongUse(words.notCents);
  const externalId = textOf(context, 'external-id') ?? `cli-${crypto.randomUUID().slice(0, 18)}`;
  return { amount, externalId, another: amount + 1, funding: 2 * amount + 1_000 };
}
