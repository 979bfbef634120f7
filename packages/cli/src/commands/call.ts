import type { RequestInput } from '@plataforma/sdk/client';
import type { Command, Context } from '../context.ts';
import { bodyOf, queryOf } from '../fields.ts';
import { sheetOf, tableOf } from '../output/table.ts';
import { isRecord } from '../records.ts';
import { type Endpoint, endpoints } from '../resources.ts';
import { WrongUse } from '../wrong-use.ts';
import { save } from './export.ts';
import { fieldsOf } from './fields-of.ts';

/** Builds the CLI command of an API endpoint, such as `charges refund <id> --amount 100`. */
function callOf(line: string, endpoint: Endpoint): Command {
  const { takesId, takesBody, isKeyed, fileType } = endpoint;
  return {
    takes: `${takesId ? '<id> ' : ''}[--…]`,
    takesFields: true,
    fields: () => fieldsOf(line, endpoint),
    options: {
      ...(takesBody && { data: { type: 'string' } as const }),
      ...((takesBody || isKeyed) && { 'idempotency-key': { type: 'string' } as const }),
      ...(takesSecret(endpoint) && { secret: { type: 'boolean' } as const }),
      ...(fileType && { output: { type: 'string', short: 'o' } as const }),
    },
    async run(context) {
      const { transport } = context.connect();
      const params = takesId ? { params: { id: idIn(context, line) } } : {};
      if (context.operands.length > (takesId ? 1 : 0)) throw misused(context, line);
      const sent = { signal: context.signal, ...sentBy(context, endpoint), ...params };
      if (fileType) return save(context, { endpoint, sent });
      const isRead = endpoint.route.startsWith('GET ');
      const answer = isRead ? transport.json(endpoint.route, sent) : changed(context, endpoint, sent);
      print(context, line, await answer);
    },
  };
}

/**
 * Returns the id in the command line. Refuses an empty id, `.` and `..`, because they would change the URL
 * into that of another endpoint.
 */
function idIn(context: Context, line: string): string {
  const [id = ''] = context.operands;
  if (/^\.{0,2}$/.test(id)) throw misused(context, line);
  return id;
}

function misused({ words, values }: Context, line: string): WrongUse {
  return new WrongUse(
    values.secret ? words.secretWithoutValue : words.usage(`${line} ${calls.get(line)?.takes ?? ''}`),
  );
}

/** Sends a request that changes data. In production a person must confirm the request first. */
async function changed(context: Context, { route }: Endpoint, sent: Sent & RequestInput): Promise<unknown> {
  const { terminal, words, values } = context;
  const target = route.replace(':id', sent.params?.id ?? '');
  await context.requireConsent([target, sent.body && sheetOf(sent.body)].filter(Boolean).join('\n'));
  if (values.secret && sent.body) sent.body.secret = await terminal.askSecret(words.askSecret);
  return context.connect().transport.json(route, sent);
}

interface Sent {
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  idempotencyKey?: string;
}

function takesSecret({ route, takesBody }: Endpoint): boolean {
  return takesBody && /^POST \/v1\/webhook-config(?:$|\/:id\/rotate-secret$)/.test(route);
}

/**
 * Uses the idempotency key of the command line, or else creates one, so that the transport can retry safely
 * after a lost response.
 */
function sentBy(context: Context, { takesBody, isKeyed }: Endpoint): Sent {
  const { data, 'idempotency-key': key, output: _output, secret: _secret, ...fields } = context.values;
  const idempotencyKey = typeof key === 'string' ? key : crypto.randomUUID();
  if (!takesBody) return { query: queryOf(fields), ...(isKeyed && { idempotencyKey }) };
  const body = bodyOf(fields, typeof data === 'string' ? data : undefined);
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
    terminal.info(words.nothing);
    return;
  }
  terminal.print(tableOf(resource, rows));
  const { page, pages, total } = isRecord(answer.meta) ? answer.meta : {};
  terminal.info(terminal.paint('dim', words.pageOf(Number(page), Number(pages), Number(total))));
}

/** Reads any path of the API and prints its JSON. */
export const get: Command = {
  takes: '</v1/…>',
  async run(context) {
    const { words, operands, terminal } = context;
    const [path = ''] = operands;
    const { pathname, search, hash } = new URL(path, 'http://api');
    if (operands.length !== 1 || !path.startsWith('/v1/') || pathname !== path.split('?')[0] || hash)
      throw new WrongUse(words.usage(`get ${get.takes}`));
    terminal.print(
      JSON.stringify(
        // Colons are encoded here, because the transport replaces `:name` by a parameter. `URL` has already
        // encoded spaces.
        await context.connect().transport.json(`GET ${(pathname + search).replaceAll(':', '%3A')}`, {
          signal: context.signal,
        }),
        null,
        2,
      ),
    );
  },
};

export const calls: ReadonlyMap<string, Command> = new Map(
  [...endpoints].map(([line, endpoint]) => [line, callOf(line, endpoint)]),
);

/** An alias of `deliveries list` under `webhooks`. */
export const deliveries: Command = {
  takes: '[--failed]',
  takesFields: true,
  fields: () => calls.get('deliveries list')?.fields?.() ?? new Map(),
  options: { failed: { type: 'boolean' } },
  async run(context) {
    const { failed, ...values } = context.values;
    const list = calls.get('deliveries list');
    await list?.run({ ...context, values: { ...(failed && { status: 'FAILED' }), ...values } });
  },
};
