import type { ServerResponse as Response } from 'node:http';
import { pipeline } from 'node:stream/promises';
import {
  type CsvColumns,
  type Endpoint,
  type FileType,
  type SchemaOf,
  schemaOf,
} from '@plataforma/contracts';
import { dayOf, Refusal, type TimeZone } from '@plataforma/kernel';
import type { IRouter, Request } from 'express';
import type { z } from 'zod';
import { answerTypeOf } from './accept.ts';
import { type Bulkhead, createBulkhead } from './bulkhead.ts';
import { type CsvForm, type CsvReader, type CsvRow, csvForm } from './csv.ts';
import type { Identity, MerchantIdentity, OperatorIdentity, Verifier } from './identity.ts';
import { merchantOf, operatorOf } from './principals.ts';
import { readQuery } from './query.ts';
import { readParams } from './serve.ts';
import { createTurns } from './turns.ts';

interface File {
  name: string;
  /** The chunks of the file in their order. The first chunk holds the header and the first rows. */
  chunks: AsyncGenerator<string | Buffer>;
}

interface FileHandler<E extends Endpoint, Principal> {
  type: FileType;
  /**
   * The bulkhead whose slot the file occupies until its caller has read it. The default is the bulkhead of
   * all files.
   */
  writing?: Bulkhead;
  file: (
    query: z.output<SchemaOf<E, 'query'>>,
    principal: Principal,
    params: z.output<SchemaOf<E, 'params'>>,
  ) => File | Promise<File>;
}

/**
 * The bulkhead of files. It admits few files at the same time, because each reads many rows over the database
 * connections for lists. No merchant can occupy all of these connections.
 */
const writingFiles = createBulkhead('files');

/**
 * The number of chunks that each class of callers makes at the same time. Sandboxes make one, because a chunk
 * takes up to 40 ms of the processor.
 */
const turnOfChunk = createTurns({ production: 3, sandbox: 1, operators: 3, others: 1 });

/**
 * Headers for a browser that mistakes a file for a page. The browser then runs no script of the file and
 * gives the file no site's origin.
 */
const LIFELESS = new Map([
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox"],
  ['X-Content-Type-Options', 'nosniff'],
]);

/**
 * Answers with a file if the caller prefers the file's type; otherwise the next route answers. A file
 * contains the whole period, because its reader could mistake one page for the complete list.
 */
export function serveFile<E extends Endpoint>(
  router: IRouter,
  endpoint: E,
  { verifier, ...handler }: FileHandler<E, MerchantIdentity> & { verifier: Verifier },
): void {
  serveFileTo(router, endpoint, {
    ...handler,
    authenticate: (req) => merchantOf(req, verifier, endpoint),
  });
}

export function serveOperatorFile<E extends Endpoint>(
  router: IRouter,
  endpoint: E,
  { verifier, ...handler }: FileHandler<E, OperatorIdentity> & { verifier: Verifier },
): void {
  serveFileTo(router, endpoint, {
    ...handler,
    authenticate: (req) => operatorOf(req, verifier, endpoint),
  });
}

interface Reader<Principal> {
  authenticate: (req: Request) => Principal;
}

function serveFileTo<E extends Endpoint, Principal extends Identity>(
  router: IRouter,
  endpoint: E,
  { type, authenticate, writing = writingFiles, file }: FileHandler<E, Principal> & Reader<Principal>,
): void {
  router.get(endpoint.path, async (req, res, next) => {
    res.vary('Accept');
    if (answerTypeOf(req, endpoint) !== type) {
      next();
      return;
    }
    const principal = authenticate(req);
    const query = readQuery(endpoint, req.query, { principal: principal, isFile: true });
    const params = readParams(schemaOf(endpoint, 'params'), req);
    refusePaging(req.query, type);
    await writing(principal, async () => {
      const { name, chunks: unlimited } = await file(query, principal, params);
      const chunks = inTurns(unlimited, principal, res);
      // An error up to this line can still become an error answer, because nothing has been sent.
      const first = await chunks.next();
      // Each file has a first chunk, unless its caller has disconnected.
      if (first.done) return;
      res.attachment(name).type(type).setHeaders(LIFELESS);
      if (req.method === 'HEAD') res.end();
      else await send(startingWith(first.value, chunks), res);
    });
  });
}

/** Makes each chunk when it is the caller's turn. Makes no chunk after the caller has disconnected. */
async function* inTurns(chunks: File['chunks'], caller: Identity, res: Response): File['chunks'] {
  try {
    for (;;) {
      const { done, value } = await turnOfChunk(caller, () =>
        res.closed ? chunks.return(null) : chunks.next(),
      );
      if (done) return;
      yield value;
    }
  } finally {
    await chunks.return(null);
  }
}

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

async function* startingWith(first: string | Buffer, rest: AsyncIterable<string | Buffer>) {
  yield first;
  yield* rest;
}

function hasLeft(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

interface CsvRoute<E extends Endpoint, Columns extends CsvColumns, Item> {
  verifier: Verifier;
  columns: Columns | ((query: z.output<SchemaOf<E, 'query'>>) => Columns);
  /** The name of the list, with which the name of the file begins. */
  name: string;
  /**
   * Returns all items that match the filters, in batches. The first batch is read before anything is sent.
   */
  batches: (query: z.output<SchemaOf<E, 'query'>>, merchant: MerchantIdentity) => AsyncIterable<Item[]>;
  rowOf: (item: Item, reader: CsvReader) => CsvRow<Columns>;
  /**
   * True if a file that is requested without a locale contains times in UTC. A time zone in the query then
   * affects only the days that the file covers.
   */
  isPlainInUtc?: true;
}

type CsvQuery = Period & CsvReader;

/** Answers with the whole list as `text/csv`, streamed in batches, when the caller prefers that type. */
export function serveCsv<E extends Endpoint, Columns extends CsvColumns, Item>(
  router: IRouter,
  endpoint: E & { query: z.ZodType<CsvQuery> },
  { verifier, columns, name, batches, rowOf, isPlainInUtc }: CsvRoute<E, Columns, Item>,
): void {
  serveFile<E>(router, endpoint, {
    type: 'text/csv',
    verifier,
    file: (query, merchant) => {
      const reader: CsvQuery = Object(query);
      const isInUtc = isPlainInUtc && !reader.locale;
      const listed = typeof columns === 'function' ? columns(query) : columns;
      const form = csvForm(listed, isInUtc ? {} : reader);
      return {
        name: fileNameOf(name, reader, 'csv'),
        chunks: chunksOf(batches(query, merchant), form, (item) => rowOf(item, reader)),
      };
    },
  });
}

/**
 * Yields the header together with the first rows, so that the server sends nothing before the first read of
 * rows has succeeded.
 */
async function* chunksOf<Columns extends CsvColumns, Item>(
  batches: AsyncIterable<Item[]>,
  { head, lines }: CsvForm<Columns>,
  rowOf: (item: Item) => CsvRow<Columns>,
): AsyncGenerator<string> {
  let before = head;
  for await (const items of batches) {
    yield before + lines(items.map(rowOf));
    before = '';
  }
  if (before) yield before;
}

interface Period {
  startDate?: Date | undefined;
  endDate?: Date | undefined;
  timeZone?: TimeZone | undefined;
}

/** Returns a name such as `charges-from-2026-11-01-to-2026-11-30.csv`. */
export function fileNameOf(
  list: string,
  { startDate, endDate, timeZone = 'UTC' }: Period,
  extension: string,
) {
  const first = startDate && `from-${dayOf(startDate, timeZone)}`;
  // `endDate` is the first instant after the period, so the last day is that of the millisecond before.
  const last = endDate && `to-${dayOf(new Date(endDate.getTime() - 1), timeZone)}`;
  return [list, first, last]
    .filter((part) => part !== undefined)
    .join('-')
    .concat(`.${extension}`);
}
