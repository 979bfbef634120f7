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
import { readQuery } from './query.ts';
import { merchantOf, operatorOf, readParams } from './serve.ts';

interface File {
  name: string;
  /** In the order of the file; the first one holds its head and its first rows. */
  chunks: AsyncGenerator<string | Buffer>;
}

interface FileHandler<E extends Endpoint, Principal> {
  type: FileType;
  /** A file is written for as long as its caller reads: in slots of all files of the process, unless it has its own. */
  writing?: Bulkhead;
  file: (
    query: z.output<SchemaOf<E, 'query'>>,
    principal: Principal,
    params: z.output<SchemaOf<E, 'params'>>,
  ) => File | Promise<File>;
}

/** Files read many rows: they get few of the connections that read lists, and no merchant gets all of those. */
const writingFiles = createBulkhead('files');

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
  { verifier, ...handler }: FileHandler<E, MerchantIdentity> & { verifier: Verifier },
): void {
  serveFileTo(router, endpoint, {
    ...handler,
    authenticate: (req) => merchantOf(req, verifier, endpoint),
  });
}

/** The same for operators. */
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
      const { name, chunks } = await file(query, principal, params);
      // An error up to here can still become an error answer.
      const first = await chunks.next();
      res.attachment(name).type(type).setHeaders(LIFELESS);
      if (req.method === 'HEAD') res.end();
      else await send(startingWith(first, chunks), res);
    });
  });
}

/** Ignores a caller that hangs up half-way. */
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

interface CsvRoute<E extends Endpoint, Columns extends CsvColumns, Item> {
  verifier: Verifier;
  columns: Columns | ((query: z.output<SchemaOf<E, 'query'>>) => Columns);
  /** The list's name in that of the file. */
  name: string;
  /** All that the filters leave, in batches; the first one comes before anything is sent. */
  batches: (query: z.output<SchemaOf<E, 'query'>>, merchant: MerchantIdentity) => AsyncIterable<Item[]>;
  rowOf: (item: Item, reader: CsvReader) => CsvRow<Columns>;
  /** Without a locale times are in UTC whatever the zone of the days. */
  isPlainInUtc?: true;
}

type CsvQuery = Period & CsvReader;

/** Answers as `text/csv` who prefers it: the whole list, streamed in batches. */
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

/** The head comes with the first rows, so that nothing is sent before they could be read. */
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
