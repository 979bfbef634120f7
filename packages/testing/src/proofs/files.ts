import { describe, expect, test } from '@jest/globals';
import type { Tenant, TimeZone } from '@plataforma/kernel';
import type { Identities } from '../world/identities.ts';
import { newTenant } from '../world/identities.ts';

interface ListedFile {
  path: string;
  /** The beginning of the file's name, before the period and the extension. */
  name: string;
  heads: readonly string[];
  url: () => string;
  merchantHeader: Identities['merchantHeader'];
  /** Adds rows that belong to the tenant, and returns their ids with the oldest first. */
  addRows: (tenant: Tenant, count: number) => Promise<readonly string[]>;
}

type Reader = Tenant & { timeZone?: TimeZone };

export interface FetchedFile {
  status: number;
  headers: Headers;
  text: string;
  /** The lines of the file without their line ends. */
  lines: string[];
}

/** Returns a function that reads a merchant's list as a CSV file (`text/csv`). */
export function fileReaderOf({
  path,
  url,
  merchantHeader,
}: Pick<ListedFile, 'path' | 'url' | 'merchantHeader'>) {
  return async (reader: Reader, query = '', method = 'GET'): Promise<FetchedFile> => {
    const headers = { accept: 'text/csv', ...merchantHeader(reader) };
    const answer = await fetch(`${url()}${path}${query}`, { method, headers });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, lines: text.split('\r\n').slice(0, -1) };
  };
}

/** A number of rows that a service can't read in a single batch. */
const MANY = 2_345;

const firstCells = (lines: readonly string[]) => lines.map((line) => line.split(',')[0]);

/**
 * Tests that the API also offers a list as a CSV file. `http/test/csv.test.ts` tests the text of the cells.
 */
export function describeFile(listed: ListedFile): void {
  const { path, name, heads, addRows } = listed;
  const read = fileReaderOf(listed);
  const head = heads.join(',');

  describe(`${path} as a file`, () => {
    test('has a header line and every row once, newest first', async () => {
      // The rows are in production, where a withdrawal waits for an operator and does not change during the
      // test.
      const tenant = newTenant('production');
      const ids = await addRows(tenant, MANY);
      await addRows({ ...tenant, environment: 'sandbox' }, 1);
      await addRows(newTenant('production'), 1);

      const { status, headers, lines } = await read(tenant);

      expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
      expect(headers.get('content-disposition')).toBe(`attachment; filename=${name}.csv`);
      expect(lines[0]).toBe(head);
      expect(firstCells(lines.slice(1))).toEqual(ids.toReversed());
    });

    test('is named after its period', async () => {
      const { headers } = await read(newTenant(), '?startDate=2026-01-01&endDate=2100-01-31');

      const period = 'from-2026-01-01-to-2100-01-31';
      expect(headers.get('content-disposition')).toBe(`attachment; filename=${name}-${period}.csv`);
    });

    test('is only a header without rows, and empty for HEAD', async () => {
      expect(await read(newTenant())).toMatchObject({ status: 200, text: `${head}\r\n` });
      expect(await read(newTenant(), '', 'HEAD')).toMatchObject({ status: 200, text: '' });
    });

    test.each(['page=1', 'limit=20', 'after=x'])('refuses %s with a JSON error', async (query) => {
      const { status, headers, text } = await read(newTenant(), `?${query}`);

      const message = expect.stringMatching(`^${query.split('=')[0]}: `);
      expect([status, headers.get('content-type')]).toEqual([400, 'application/json; charset=utf-8']);
      expect(JSON.parse(text)).toEqual({ success: false, error: { code: 'VALIDATION_ERROR', message } });
    });
  });
}
