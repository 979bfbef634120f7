import { type FileHandle, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { type Command, type Connection, type Context, textOf } from '../context.ts';
import { queryOf } from '../fields.ts';
import { shownSafely } from '../output/safely.ts';
import { isRecord } from '../records.ts';
import { type Endpoint, endpoints } from '../resources.ts';
import { isFileError } from '../text-file.ts';
import { NotWritten, WrongUse } from '../wrong-use.ts';
import { fieldsOf } from './fields-of.ts';

interface File {
  endpoint: Endpoint;
  sent: { params?: { id: string }; query?: Record<string, unknown>; signal: AbortSignal };
}

/** The longest time for a download. It is enough for a year of a large account over a slow connection. */
const LONGEST_MS = 600_000;
const sources: Record<string, Record<string, string>> = {
  charges: { csv: 'charges list-csv' },
  refunds: { csv: 'refunds list-csv' },
  disputes: { csv: 'disputes list-csv' },
  'unexpected-payments': { csv: 'unexpected-payments list-csv' },
  withdrawals: { csv: 'withdrawals list-csv' },
  statement: { csv: 'wallet statement-csv', ofx: 'wallet statement-ofx' },
  transactions: { csv: 'wallet transactions-csv' },
  closings: { csv: 'wallet closings-csv' },
  receivables: { csv: 'wallet receivables-csv' },
  'receivable-items': { csv: 'wallet receivable-items-csv' },
  volume: { csv: 'reports volume-csv' },
};

export const exportFile: Command = {
  takes: Object.keys(sources).join('|'),
  takesFields: true,
  candidates: Object.keys(sources),
  fields: allFields,
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    format: { type: 'string', values: ['csv', 'ofx'] },
    output: { type: 'string', short: 'o' },
  },
  async run(context) {
    const { words, operands, values } = context;
    const [resource = ''] = operands;
    const line = sources[resource]?.[textOf(context, 'format') ?? 'csv'];
    const endpoint = endpoints.get(line ?? '');
    if (!line || !endpoint || operands.length > 1) {
      throw new WrongUse(
        words.usage(`export ${exportFile.takes} [--from 2026-11-01] [--to 2026-11-30] [--format csv|ofx]`),
      );
    }
    const { from, to, format: _format, output: _output, ...fields } = values;
    const period = { ...(from && { startDate: from }), ...(to && { endDate: to }) };
    await save(context, {
      endpoint,
      sent: { query: queryOf({ ...period, locale: words.locale, ...fields }), signal: context.signal },
    });
  },
};

/**
 * Query parameters that the user cannot set, because `export` sets them itself or the file endpoints refuse
 * them.
 */
const unfit = ['startDate', 'endDate', 'page', 'limit', 'after'];

/**
 * Returns the filters of all exports together. Each filter has the possible values of every export that
 * accepts the filter.
 */
function allFields(): Map<string, readonly string[]> {
  const all = new Map<string, readonly string[]>();
  for (const line of Object.values(sources).flatMap((types) => Object.values(types))) {
    const endpoint = endpoints.get(line);
    for (const [name, values] of endpoint ? fieldsOf(line, endpoint) : []) {
      if (!unfit.includes(name)) all.set(name, [...new Set([...(all.get(name) ?? []), ...values])]);
    }
  }
  return all;
}

/**
 * Writes a response to the file of `--output` or to standard output. Replaces an existing regular file only
 * after the new content is complete.
 */
export async function save(context: Context, { endpoint, sent }: File): Promise<void> {
  const { terminal, words } = context;
  const connection = context.connect();
  const { fileType } = endpoint;
  const rows = await rowsOf(connection, endpoint, sent);
  const headers = { accept: fileType ?? '*/*' };
  const response = await connection.transport.file(
    endpoint.route,
    { ...sent, headers, timeoutMs: LONGEST_MS },
    async (answer) => answer,
  );
  const name = textOf(context, 'output');
  if (name === undefined || name === '-') {
    const decoder = new TextDecoder();
    const isTerminal = process.stdout.isTTY;
    await eachOf(context, { response, rows }, (chunk) =>
      printed(isTerminal ? shownSafely(decoder.decode(chunk, { stream: true })) : chunk),
    );
    return;
  }
  const write = (file: FileHandle) => eachOf(context, { response, rows }, (chunk) => file.writeFile(chunk));
  try {
    terminal.info(words.saved(name, await saveTo(name, write)));
  } catch (error) {
    if (!isFileError(error)) throw error;
    const why = Object.entries(words.notInto).find(([code]) => code === error.code)?.[1] ?? error.code;
    throw new NotWritten(words.notWritten(`${name}: ${why}`));
  }
}

async function saveTo<Result>(name: string, write: (file: FileHandle) => Promise<Result>): Promise<Result> {
  const { path, isReplaced } = await targetOf(name);
  const unfinished = isReplaced ? `${path}.${process.pid}.part` : path;
  // The file contains personal data of buyers, so only the file's owner may read it.
  const file = await open(unfinished, isReplaced ? 'wx' : 'a', 0o600);
  try {
    const result = await write(file);
    await file.close();
    if (isReplaced) await rename(unfinished, path);
    return result;
  } catch (error) {
    if (isReplaced) await rm(unfinished, { force: true });
    throw error;
  }
}

/**
 * Returns the path to write. `isReplaced` is true for a regular file and for a new file, and false for a pipe
 * or a device.
 */
async function targetOf(name: string): Promise<{ path: string; isReplaced: boolean }> {
  // `/dev/fd/3`, for example, is a file that the shell opened. If this program replaced the file, the shell
  // would still use the old one.
  if (/^\/(?:dev|proc)\//.test(name)) return { path: name, isReplaced: false };
  const path = await realpath(name).catch(() => null);
  if (path !== null) return { path, isReplaced: (await stat(path)).isFile() };
  // If the name is a link to a missing file, write through the link, so that the system creates the link's
  // target.
  return { path: name, isReplaced: (await lstat(name).catch(() => null)) === null };
}

/** Writes the response chunk by chunk, shows the progress, and returns the number of bytes. */
async function eachOf(
  { terminal, words }: Context,
  { response, rows }: { response: Response; rows: number | null },
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<number> {
  let lines = 0;
  let bytes = 0;
  try {
    for await (const chunk of chunksOf(response)) {
      lines += chunk.filter((byte) => byte === NEWLINE).length;
      bytes += chunk.length;
      await write(chunk);
      terminal.progress(
        rows === null
          ? words.bytes(bytes)
          : `${barOf(lines - 1, rows)} ${words.rows(Math.max(0, lines - 1), rows)}`,
      );
    }
  } finally {
    terminal.progress('');
  }
  return bytes;
}

function chunksOf({ body }: Response): AsyncIterable<Uint8Array> {
  if (!body) throw new Error('a file without a body');
  return body;
}

const NEWLINE = 10;

/** Returns the number of rows that the file will have, or null if the API cannot count them. */
async function rowsOf(
  { transport }: Connection,
  { route }: Endpoint,
  { query, signal }: File['sent'],
): Promise<number | null> {
  const isPaged = [...endpoints.values()].some((list) => list.route === route && list.isList);
  if (!query || !isPaged) return null;
  const { locale: _locale, ...filters } = query;
  const page = await transport.json(route, { query: { ...filters, limit: 1 }, signal });
  const meta = isRecord(page) && isRecord(page.meta) ? page.meta : {};
  return typeof meta.total === 'number' && !meta.totalIsCapped ? meta.total : null;
}

function printed(chunk: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) =>
    process.stdout.write(chunk, (error) => (error ? reject(error) : resolve())),
  );
}

const WIDTH = 24;

function barOf(done: number, all: number): string {
  const share = all === 0 ? 1 : Math.min(1, Math.max(0, done / all));
  const full = Math.round(share * WIDTH);
  return `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${Math.floor(share * 100)} %`;
}
