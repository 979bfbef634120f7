import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { api as endpoints } from '@plataforma/contracts';
import { callTool } from '../src/call-tool.ts';
import { createIntents } from '../src/confirmation.ts';
import { toolsFor } from '../src/tools.ts';
import { type Assistant, startAssistant } from './support/assistant.ts';

const body = { amount: 25_000, type: 'PIX', pixKey: 'a@b.example', pixKeyType: 'EMAIL' };
const link = { body: { description: 'Rifa', amount: 5_000 } };
/**
 * The path and the idempotency key of each request that the tools sent. The API's answer to the first
 * withdrawal is broken.
 */
const made: (string | undefined)[][] = [];
let api: Server;
let baseUrl: string;
const assistants: Assistant[] = [];

beforeAll(async () => {
  api = createServer((request, response) => {
    // Ignore the path that the MCP server requests at its start, to check that the address belongs to the
    // API.
    if (request.url !== '/v1/events') made.push([request.url, String(request.headers['idempotency-key'])]);
    const isLost = request.url === '/v1/withdrawals' && made.length <= 3;
    response.writeHead(isLost ? 502 : 201).end(isLost ? 'x' : JSON.stringify({ data: { id: 'w1' } }));
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
  baseUrl = addressOf(api);
});

afterAll(async () => {
  await Promise.all(assistants.map(({ client }) => client.close()));
  api.close();
});

function addressOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

async function live(options: Partial<Parameters<typeof startAssistant>[0]> = {}): Promise<Assistant> {
  const args = ['--live', '--write'];
  const assistant = await startAssistant({ baseUrl, key: 'sk_live_1', args, ...options });
  assistants.push(assistant);
  return assistant;
}

test.each(['legacy', 'auto'] as const)(
  'a withdrawal in %s mode needs approval, reusing its key',
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
    expect(questions[0]).not.toContain('got no answer');
    expect(questions[2]).toContain('The same call got no answer before');
  },
);

test('a Pix code, whose bank may be a stranger, is read in production only after approval', async () => {
  made.length = 0;
  const says = [false, true];
  const questions: string[] = [];
  const approve = (message: string) => questions.push(message) > 0 && says.shift() === true;
  const [asking, silent] = [await live({ approve, args: ['--live'] }), await live({ args: ['--live'] })];
  const code = { body: { brCode: '00020126580014br.gov.bcb.pix' } };

  const declined = await asking.call('decodeQr', code);
  const sentBefore = made.length;
  await asking.call('decodeQr', code);
  const { tools } = await silent.client.listTools();

  expect([JSON.parse(declined.text).code, sentBefore, made.length]).toEqual(['DECLINED', 0, 1]);
  expect(questions[0]).toContain(code.body.brCode);
  expect(tools.map(({ name }) => name)).not.toContain('decodeQr');
});

test('a client without prompts gets no tool that moves money', async () => {
  const assistant = await live();
  const { tools } = await assistant.client.listTools();

  const changing = tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name);

  expect(changing.sort()).toEqual(['cancelCharge', 'changePaymentLink', 'createCharge', 'createPaymentLink']);
  expect(
    await assistant.client.callTool({ name: 'createWithdrawal', arguments: { body } }).catch(String),
  ).toMatch(/disabled/);
});

test('a client without prompts changes no link text in production', async () => {
  made.length = 0;
  const assistant = await live();
  const id = '01939f2e-7d3b-7c51-9a54-0d2f6d0c4a11';
  const codeOf = async (body: object, confirm?: string) => {
    const { text } = await assistant.call('changePaymentLink', { id, body, confirm });
    return JSON.parse(text);
  };
  const { confirm, code } = await codeOf({ isActive: false });
  const { body: change } = endpoints.changePaymentLink;
  const fields = Object.keys(change.shape).filter(
    (name) => !['isActive', 'uses', 'expiresAt'].includes(name),
  );
  const sampleOf = (name: string) => (name === 'description' ? 'Pague aqui' : null);

  expect(fields).toEqual(expect.arrayContaining(['returnUrl', 'description', 'checkoutColor']));
  for (const name of fields)
    for (const body of [{ [name]: sampleOf(name) }, { isActive: false, [name]: sampleOf(name) }])
      expect({ name, ...(await codeOf(body, confirm)) }).toMatchObject({ name, code: 'PERSON_NEEDED' });
  expect([code, made]).toEqual(['CONFIRMATION_NEEDED', []]);
  await codeOf({ isActive: false }, confirm);
  expect(made).toHaveLength(1);
});

test('a confirmation works once, for its key and its arguments', async () => {
  made.length = 0;
  const assistant = await live();
  const proposal = JSON.parse((await assistant.call('createPaymentLink', link)).text);
  const { confirm } = proposal;
  const { idempotencyKey } = proposal.arguments;
  const dearer = { body: { ...link.body, amount: 50_000 } };

  const other = await assistant.call('createPaymentLink', { ...link, confirm, idempotencyKey: 'other' });
  const more = await assistant.call('createPaymentLink', { ...dearer, confirm, idempotencyKey });
  const first = await assistant.call('createPaymentLink', { ...link, confirm });
  const again = await assistant.call('createPaymentLink', { ...link, confirm });

  const failed = [other, more, first, again].map(({ isError }) => isError);
  expect(failed).toEqual([true, true, false, true]);
  expect(made).toEqual([['/v1/payment-links', idempotencyKey]]);
});

test('one approval pays once, despite repeated calls', async () => {
  const tool = toolsFor({ isLive: true, mayWrite: true }).find(({ name }) => name === 'createWithdrawal');
  if (!tool) throw new Error('createWithdrawal is no tool');
  const [intents, paid] = [createIntents(), [] as unknown[]];
  const dependencies = { intents, report: () => {}, signal: new AbortController().signal };
  const call = async (_route: string, { idempotencyKey }: object & { idempotencyKey?: string }) =>
    paid.push(idempotencyKey);
  const confirm = intents.ask(intents.of(tool.name, { body }));
  const answered = { ...dependencies, call, person: { confirm, hasDeclined: false } };

  const answers = await Promise.all([
    callTool(tool, { body }, answered),
    callTool(tool, { body }, answered),
    callTool(tool, { body: { ...body, amount: 1 } }, answered),
  ]);

  expect(paid).toHaveLength(1);
  expect(answers.map((answer) => 'inputRequests' in answer)).toEqual([false, true, true]);
});

test('a redirect is not followed and the outcome is unknown', async () => {
  const reached: unknown[] = [];
  const other = createServer((request, response) => {
    reached.push(request.headers);
    response.writeHead(201).end(JSON.stringify({ data: { id: 'stolen' } }));
  }).listen(0, '127.0.0.1');
  const away = createServer((_request, response) => {
    response.writeHead(307, { location: addressOf(other) }).end();
  }).listen(0, '127.0.0.1');
  await Promise.all([other, away].map((each) => once(each, 'listening')));
  const assistant = await live({ baseUrl: addressOf(away), approve: () => true });

  const read = await assistant.call('listCharges');
  const sent = await assistant.call('createWithdrawal', { body });

  expect([read, sent].map(({ text }) => JSON.parse(text).code)).toEqual(['NO_ANSWER', 'NO_ANSWER']);
  expect(reached).toEqual([]);
  other.close();
  away.close();
});

test('a confirmation expires after five minutes', () => {
  let now = 0;
  const intents = createIntents(() => now);
  const intent = intents.of('createPaymentLink', link);
  const [early, late] = [intents.ask(intent), intents.ask(intent)];

  now = 299_999;
  expect(intents.isConfirmed(intent, early)).toBe(true);
  now = 300_000;
  expect(intents.isConfirmed(intent, late)).toBe(false);
});
