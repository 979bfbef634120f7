import type { ServerResponse as Response } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Endpoint, type FileType, type SchemaOf, schemaOf } from '@plataforma/contracts';
import { csvLine, dayOf, inZone, Refusal, type TimeZone } from '@plataforma/kernel';
import type { IRouter, Request } from 'express';
import type { z } from 'zod';
import type { CallerBulkhead } from './bulkhead.ts';
import type { Identity, MerchantIdentity, OperatorIdentity, Verifier } from './identity.ts';
import { merchantOf, operatorOf, readParams } from './serve.ts';
import { validate } from './validation.ts';

interface File {
  name: string;
  /** In the order of the file; the first one holds its head and its first rows. */
  chunks: AsyncGenerator<string | Buffer>;
}

interface FileEntrance<E extends Endpoint, Who> {
  type: FileType;
  /** A file is written for as long as its caller reads. */
  writing: CallerBulkhead;
  file: (
    query: z.output<SchemaOf<E, 'query'>>,
    who: Who,
    params: z.output<SchemaOf<E, 'params'>>,
  ) => File | Promise<File>;
}

/** Whatever a browser takes it for, it runs nothing and belongs to no site. */
const LIFELESS = new Map([
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox"],
  ['X-Content-Type-Options', 'nosniff'],
]);

/**
 * Answers as one file who asks for its type; everyone else is answered by the route behind this one. Of a list it is
 * always the whole period: a page of it would be taken for that.
 */
export function serveFile<E extends Endpoint>(
  router: IRouter,
  endpoint: E,
  { verifier, ...entrance }: FileEntrance<E, MerchantIdentity> & { verifier: Verifier },
): void {
  serveFileTo(router, endpoint, {
    ...entrance,
    authenticate: (req) => merchantOf(req, verifier, endpoint),
  });
}

/** The same for operators. */
export function serveOperatorFile<E extends Endpoint>(
  router: IRouter,
  endpoint: E,
  { verifier, ...entrance }: FileEntrance<E, OperatorIdentity> & { verifier: Verifier },
): void {
  serveFileTo(router, endpoint, {
    ...entrance,
    authenticate: (req) => operatorOf(req, verifier, endpoint),
  });
}

interface Reader<Who> {
  authenticate: (req: Request) => Who;
}

function serveFileTo<E extends Endpoint, Who extends Identity>(
  router: IRouter,
  endpoint: E,
  { type, authenticate, writing, file }: FileEntrance<E, Who> & Reader<Who>,
): void {
  const types = ['application/json', ...(endpoint.alsoAs ?? []).map(({ mediaType }) => mediaType)];
  router.get(endpoint.path, async (req, res, next) => {
    res.vary('Accept');
    if (req.accepts(types) !== type) {
      next();
      return;
    }
    const who = authenticate(req);
    const query = validate(schemaOf(endpoint, 'query'), req.query);
    const params = readParams(schemaOf(endpoint, 'params'), req);
    refusePaging(req.query, type);
    await writing(who, async () => {
      const { name, chunks } = await file(query, who, params);
      // What fails until here still has an answer of its own.
      const first = await chunks.next();
      res.attachment(name).type(type).setHeaders(LIFELESS);
      if (req.method === 'HEAD') res.end();
      else await send(startingWith(first, chunks), res);
    });
  });
}

/** Who hangs up half-way has read enough. */
async function send(chunks: AsyncIterable<string | Buffer>, res: Response): Promise<void> {
  try {
    await pipeline(chunks, res);
  } catch (error) {
    if (!hasLeft(error)) throw error;
  }
}

function refusePaging(query: object, type: FileType): void {
  const [unfit] = ['page', 'limit', 'after'].filter((name) => name in query);
  if (unfit) throw new Refusal('invalid', 'VALIDATION_ERROR', `${unfit}: ${type} is always the whole period`);
}

async function* startingWith(first: IteratorResult<string | Buffer>, rest: AsyncIterable<string | Buffer>) {
  yield first.value;
  yield* rest;
}

function hasLeft(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** How a batch of a list is written, and what comes before all of them. */
interface Form<Item> {
  head: string;
  lines: (items: readonly Item[]) => string;
}

/** The head comes with the first rows, so that nothing is sent before they could be read. */
export async function* chunksOf<Item>(
  batches: AsyncGenerator<Item[]>,
  { head, lines }: Form<Item>,
): AsyncGenerator<string> {
  const first = await batches.next();
  yield head + lines(first.value ?? []);
  for await (const items of batches) yield lines(items);
}

type CsvRow<Column extends string> = Record<Column, string | number | null>;

/**
 * A list as RFC 4180 has it. Of a zone that was asked for, other than UTC, its times (`…At`) are that zone's, with their
 * offset, and the head says which: `createdAt (America/Sao_Paulo)`.
 */
export function csvForm<Item, Column extends string>(
  columns: readonly Column[],
  rowOf: (item: Item) => CsvRow<Column>,
  timeZone: TimeZone = 'UTC',
): Form<Item> {
  const isShifted = (column: Column) => timeZone !== 'UTC' && column.endsWith('At');
  const shown = (row: CsvRow<Column>, column: Column) => {
    const value = row[column];
    return isShifted(column) && value !== null ? inZone(new Date(value), timeZone) : value;
  };
  return {
    head: csvLine(columns.map((column) => (isShifted(column) ? `${column} (${timeZone})` : column))),
    lines: (items) =>
      items
        .map(rowOf)
        .map((row) => csvLine(columns.map((column) => shown(row, column))))
        .join(''),
  };
}

interface Period {
  startDate?: Date | undefined;
  endDate?: Date | undefined;
  timeZone?: TimeZone | undefined;
}

/** Such as `charges-from-2026-11-01-to-2026-11-30.csv`. */
export function fileNameOf(
  list: string,
  { startDate, endDate, timeZone = 'UTC' }: Period,
  extension: string,
) {
  const first = startDate && `from-${dayOf(startDate, timeZone)}`;
  // The instant after the period.
  const last = endDate && `to-${dayOf(new Date(endDate.getTime() - 1), timeZone)}`;
  return [list, first, last]
    .filter((part) => part !== undefined)
    .join('-')
    .concat(`.${extension}`);
}
