import { type Command, type Context, textOf } from '../context.ts';
import { clock } from '../output/times.ts';
import { WrongUse } from '../wrong-use.ts';

const EVERY_MS = 1_000;
const SHOWN_AT_FIRST = 10;

/** The requests of this account as they come, newest last. */
export const logs: Command = {
  isEndless: true,
  takes: 'tail',
  options: { status: { type: 'string' }, path: { type: 'string' } },
  candidates: ['tail'],
  async run(context) {
    const { operands, words, signal } = context;
    if (operands.length !== 1 || operands[0] !== 'tail') throw new WrongUse(words.usage('logs tail'));
    const { plataforma } = context.connect();
    const filters = filtersOf(context);
    const known = new Set<string>();
    let limit = SHOWN_AT_FIRST;
    while (!signal.aborted) {
      const { data } = await plataforma.requests.list({ ...filters, limit }, { signal }).page(1);
      for (const line of data.toReversed()) {
        if (!known.has(line.id)) show(context, line);
        known.add(line.id);
      }
      limit = 100;
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  },
};

function filtersOf(context: Context) {
  const [status, path] = [textOf(context, 'status'), textOf(context, 'path')];
  const classes = ['2xx', '4xx', '5xx'] as const;
  const wanted = classes.find((each) => each === status);
  if (status !== undefined && !wanted) throw new WrongUse(`--status ${classes.join('|')}`);
  return { ...(wanted && { status: wanted }), ...(path && { path }) };
}

interface Line {
  createdAt: string;
  method: string;
  path: string;
  status: number | null;
  errorCode: string | null;
  durationMs: number;
  requestId: string | null;
}

function show({ terminal, isJson }: Context, line: Line): void {
  if (isJson) {
    terminal.print(JSON.stringify(line));
    return;
  }
  const { createdAt, method, path, status, errorCode, durationMs, requestId } = line;
  const { paint } = terminal;
  const result = paint((status ?? 500) < 400 ? 'green' : 'red', String(status ?? '–'));
  const what = [clock(createdAt), result, method.padEnd(6), path, `${durationMs} ms`, errorCode ?? ''];
  terminal.print([...what, paint('dim', requestId ?? '')].filter(Boolean).join('  '));
}
