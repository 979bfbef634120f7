import type { ServerResponse as Response } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Endpoint, type SchemaOf, schemaOf } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import type { IRouter } from 'express';
import type { z } from 'zod';
import type { Bulkhead } from './bulkhead.ts';
import type { MerchantIdentity, Verifier } from './identity.ts';
import { merchantOf } from './serve.ts';
import { validate } from './validation.ts';

interface CsvFile {
  name: string;
  /** In the order of the file; the first one holds its header and its first rows. */
  chunks: AsyncGenerator<string>;
}

interface CsvEntrance<E extends Endpoint> {
  verifier: Verifier;
  /** A file is written for as long as its caller reads. */
  writing: Bulkhead;
  file: (query: z.output<SchemaOf<E, 'query'>>, merchant: MerchantIdentity) => CsvFile;
}

/**
 * Answers a list as one file to who asks for `text/csv`; everyone else is answered by the route behind this one. It is
 * always the whole period: a page of it would be taken for that.
 */
export function serveCsv<E extends Endpoint>(
  router: IRouter,
  endpoint: E,
  { verifier, writing, file }: CsvEntrance<E>,
): void {
  router.get(endpoint.path, async (req, res, next) => {
    res.vary('Accept');
    if (req.accepts('application/json', 'text/csv') !== 'text/csv') {
      next();
      return;
    }
    const merchant = merchantOf(req, verifier, endpoint);
    const query = validate(schemaOf(endpoint, 'query'), req.query);
    refusePaging(req.query);
    await writing(merchant.merchantId, async () => {
      const { name, chunks } = file(query, merchant);
      // What fails until here still has an answer of its own.
      const first = await chunks.next();
      res.type('text/csv').attachment(name);
      if (req.method === 'HEAD') res.end();
      else await send(startingWith(first, chunks), res);
    });
  });
}

/** Who hangs up half-way has read enough. */
async function send(chunks: AsyncIterable<string>, res: Response): Promise<void> {
  try {
    await pipeline(chunks, res);
  } catch (error) {
    if (!hasLeft(error)) throw error;
  }
}

function refusePaging(query: object): void {
  const [unfit] = ['page', 'limit', 'after'].filter((name) => name in query);
  if (unfit)
    throw new Refusal('invalid', 'VALIDATION_ERROR', `${unfit}: text/csv is always the whole period`);
}

async function* startingWith(first: IteratorResult<string>, rest: AsyncIterable<string>) {
  yield first.value;
  yield* rest;
}

function hasLeft(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
