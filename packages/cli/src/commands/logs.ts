import { type Command, type Context, textOf } from '../context.ts';
import { clock } from '../output/times.ts';
import { readProfile } from '../profiles.ts';
import { WrongUse } from '../wrong-use.ts';

const EVERY_MS = 1_000;
const SHOWN_AT_FIRST = 10;
const classes = ['2xx', '4xx', '5xx'] as const;
const READ_AT_ONCE = 100;

/** Shows the account's API requests as they happen, the newest at the end. */
export const logs: Command = {
  isEndless: true,
  takes: 'tail',
  options: {
    status: { type: 'string', values: classes },
    path: { type: 'string' },
    all: { type: 'boolean' },
  },
  candidates: ['tail'],
  async run(context) {
    const { operands, words, signal } = context;
    if (operands.length !== 1 || operands[0] !== 'tail') throw new WrongUse(words.usage('logs tail'));
    const { plataforma } = context.connect();
    const filters = filtersOf(context);
    const printed = new Set<string>();
    const isShown = shownOf(context);
    let most = SHOWN_AT_FIRST;
    while (!signal.aborted) {
      const query = { ...filters, limit: READ_AT_ONCE };
      const { data } = await plataforma.requests.list(query, { signal }).page(1);
      const fresh = data.filter(({ id }) => !printed.has(id));
      for (const { id } of fresh) printed.add(id);
      for (const line of fresh.filter(isShown).slice(0, most).toReversed()) show(context, line);
      most = READ_AT_ONCE;
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  },
};

/**
 * Returns a filter of the log. It hides the polling requests that `plataforma listen` sends with the key of
 * this profile, unless `--all` or `--path` is given.
 */
function shownOf(context: Context): (line: Line) => boolean {
  if (context.values.all || textOf(context, 'path')) return () => true;
  // The profile does not contain the id of the production key. In production, the filter therefore hides the
  // requests with which `listen` polls, whichever key sent them.
  const keyId = context.isLive ? undefined : readProfile(context.profile).keyId;
  const isOwn = ({ apiKeyId }: Line) => keyId === undefined || apiKeyId === keyId;
  return (line) => !(line.method === 'GET' && line.path === '/v1/events' && isOwn(line));
}

function filtersOf(context: Context) {
  const [status, path] = [textOf(context, 'status'), textOf(context, 'path')];
  const statusClass = classes.find((each) => each === status);
  if (status !== undefined && !statusClass) throw new WrongUse(`--status ${classes.join('|')}`);
  return { ...(statusClass && { status: statusClass }), ...(path && { path }) };
}

interface Line {
  createdAt: string;
  method: string;
  path: string;
  status: number | null;
  errorCode: string | null;
  durationMs: number;
  requestId: string | null;
  apiKeyId: string | null;
}

function show({ terminal, isJson }: Context, line: Line): void {
  if (isJson) {
    terminal.print(JSON.stringify(line));
    return;
  }
  const { createdAt, method, path, status, errorCode, durationMs, requestId } = line;
  const { paint } = terminal;
  const result = paint((status ?? 500) < 400 ? 'green' : 'red', String(status ?? '–'));
  const columns = [clock(createdAt), result, method.padEnd(6), path, `${durationMs} ms`, errorCode ?? ''];
  terminal.print([...columns, paint('dim', requestId ?? '')].filter(Boolean).join('  '));
}
