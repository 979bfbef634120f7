import type { Command, Context } from '../context.ts';
import { bodyOf, queryOf } from '../fields.ts';
import { sheetOf, tableOf } from '../output/table.ts';
import { isRecord } from '../records.ts';
import { type Endpoint, endpoints } from '../resources.ts';
import { WrongUse } from '../wrong-use.ts';
import { save } from './export.ts';

/** An endpoint of the API: `charges refund <id> --amount 100`. */
function callOf(line: string, endpoint: Endpoint): Command {
  const { takesId, takesBody, fileType } = endpoint;
  return {
    takes: `${takesId ? '<id> ' : ''}[--…]`,
    takesFields: true,
    options: {
      ...(takesBody && { data: { type: 'string' } as const }),
      ...(takesBody && { 'idempotency-key': { type: 'string' } as const }),
      ...(fileType && { output: { type: 'string', short: 'o' } as const }),
    },
    async run(context) {
      const { words, operands, transport } = { ...context, ...context.connect() };
      const [id, ...more] = takesId ? operands : [undefined, ...operands];
      if (more.length > 0 || (takesId && !id))
        throw new WrongUse(words.usage(`${line} ${callOf(line, endpoint).takes}`));
      const sent = { signal: context.signal, ...sentBy(context, endpoint), ...(id && { params: { id } }) };
      if (fileType) return save(context, { endpoint, sent });
      if (!endpoint.route.startsWith('GET '))
        await context.demandConsent(endpoint.route.replace(':id', id ?? ''));
      print(context, line, await transport.json(endpoint.route, sent));
    },
  };
}

/** A key of its own for each call: what was lost on the way is asked for once more with it. */
function sentBy(context: Context, { takesBody, isKeyed }: Endpoint) {
  const { data, 'idempotency-key': key, output: _output, ...fields } = context.values;
  if (!takesBody) {
    return { query: queryOf(fields), ...(isKeyed && { idempotencyKey: crypto.randomUUID() }) };
  }
  const body = bodyOf(fields, typeof data === 'string' ? data : undefined);
  const idempotencyKey = typeof key === 'string' ? key : crypto.randomUUID();
  return { body, ...(isKeyed && { idempotencyKey }) };
}

function print({ terminal, isJson, words }: Context, line: string, answer: unknown): void {
  const isPage = isRecord(answer) && Array.isArray(answer.data) && isRecord(answer.meta);
  if (isJson || !isPage) {
    terminal.print(isJson ? JSON.stringify(answer) : sheetOf(answer));
    return;
  }
  const [resource = ''] = line.split(' ');
  const rows = Array.isArray(answer.data) ? answer.data : [];
  if (rows.length === 0) {
    terminal.note(words.nothing);
    return;
  }
  terminal.print(tableOf(resource, rows));
  const { page, pages, total } = isRecord(answer.meta) ? answer.meta : {};
  terminal.note(terminal.paint('dim', words.pageOf(Number(page), Number(pages), Number(total))));
}

/** Any path of the API, as it is. */
export const get: Command = {
  takes: '</v1/…>',
  async run(context) {
    const { words, operands, terminal } = context;
    const [path = ''] = operands;
    const { pathname } = new URL(path, 'http://api');
    if (operands.length !== 1 || !path.startsWith('/v1/') || pathname !== path.split('?')[0])
      throw new WrongUse(words.usage(`get ${get.takes}`));
    terminal.print(
      JSON.stringify(
        await context.connect().transport.json(`GET ${path}`, { signal: context.signal }),
        null,
        2,
      ),
    );
  },
};

export const calls: ReadonlyMap<string, Command> = new Map(
  [...endpoints].map(([line, endpoint]) => [line, callOf(line, endpoint)]),
);

/** The deliveries of webhooks are found beside them, too. */
export const deliveries: Command = {
  takes: '[--failed]',
  takesFields: true,
  options: { failed: { type: 'boolean' } },
  async run(context) {
    const { failed, ...values } = context.values;
    const list = calls.get('deliveries list');
    await list?.run({ ...context, values: { ...(failed && { status: 'FAILED' }), ...values } });
  },
};
