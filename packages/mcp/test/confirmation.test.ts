import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createIntents } from '../src/confirmation.ts';
import { type Assistant, startAssistant } from './support/assistant.ts';

const body = { amount: 25_000, type: 'PIX', pixKey: 'a@b.example', pixKeyType: 'EMAIL' };
const link = { body: { description: 'Rifa', amount: 5_000 } };
/** Of each request that has reached the API, its path and key; the first withdrawal gets no answer that is one. */
const made: (string | undefined)[][] = [];
let api: Server;
let baseUrl: string;
const assistants: Assistant[] = [];

beforeAll(async () => {
  api = createServer((request, response) => {
    made.push([request.url, String(request.headers['idempotency-key'])]);
    const isLost = request.url === '/v1/withdrawals' && made.length <= 3;
    response.writeHead(isLost ? 502 : 201).end(isLost ? 'x' : JSON.stringify({ data: { id: 'w1' } }));
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
  const address = api.address();
  baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});

afterAll(async () => {
  await Promise.all(assistants.map(({ client }) => client.close()));
  api.close();
});

async function live(options: Partial<Parameters<typeof startAssistant>[0]> = {}): Promise<Assistant> {
  const args = ['--live', '--write'];
  const assistant = await startAssistant({ baseUrl, key: 'sk_live_1', args, ...options });
  assistants.push(assistant);
  return assistant;
}

test.each(['legacy', 'auto'] as const)(
  'a withdrawal takes the word of the person, in the way %s, and after a lost answer it goes under the same key',
  async (mode) => {
    made.length = 0;
    const questions: string[] = [];
    const says = [false, true, true];
    const approve = (message: string) => questions.push(message) > 0 && says.shift() === true;
    const assistant = await live({ mode, approve });

    const [declined, lost, done] = [
      await assistant.call('createWithdrawal', { body }),
      await assistant.call('createWithdrawal', { body }),
      await assistant.call('createWithdrawal', { body }),
    ];

    expect([JSON.parse(declined.text).code, lost.isError, done.isError]).toEqual(['DECLINED', true, false]);
    expect(made.length).toBe(4);
    expect(new Set(made.map(([, key]) => key)).size).toBe(1);
    expect(questions[0]).toMatch(/R\$\s250,00[\s\S]*a@b\.example/);
    expect(questions[0]).not.toContain('No answer came');
    expect(questions[2]).toContain('No answer came to the same call before');
  },
);

test('where the client asks nobody, no tool sends money away, nor changes who receives it or events', async () => {
  const assistant = await live();
  const { tools } = await assistant.client.listTools();

  const changing = tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name);

  expect(changing.sort()).toEqual(['cancelCharge', 'changePaymentLink', 'createCharge', 'createPaymentLink']);
  expect(
    await assistant.client.callTool({ name: 'createWithdrawal', arguments: { body } }).catch(String),
  ).toMatch(/disabled/);
});

test('a confirmation works once, and for the key that it was given with', async () => {
  made.length = 0;
  const assistant = await live();
  const asked = JSON.parse((await assistant.call('createPaymentLink', link)).text);
  const { confirm } = asked;

  const other = await assistant.call('createPaymentLink', { ...link, confirm, idempotencyKey: 'other' });
  const first = await assistant.call('createPaymentLink', { ...link, confirm });
  const again = await assistant.call('createPaymentLink', { ...link, confirm });

  expect([other.isError, first.isError, again.isError]).toEqual([true, false, true]);
  expect(made).toEqual([['/v1/payment-links', asked.arguments.idempotencyKey]]);
});

test('a confirmation ends after five minutes', () => {
  let now = 0;
  const intents = createIntents(() => now);
  const intent = intents.of('createPaymentLink', link);
  const [early, late] = [intents.ask(intent), intents.ask(intent)];

  now = 299_999;
  expect(intents.isConfirmed(intent, early)).toBe(true);
  now = 300_000;
  expect(intents.isConfirmed(intent, late)).toBe(false);
});
