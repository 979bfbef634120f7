import type { LoggedRequestQuery } from '@plataforma/contracts';
import {
  type ComposedQuery,
  columnsOf,
  type Page,
  type Queryable,
  readRows,
  selected,
  composeSql as sql,
} from '@plataforma/data';
import { type Environment, firstIdOf, isUuid, type Tenant } from '@plataforma/kernel';

/** One request of a merchant and its result. No field may contain a secret or the name of a person. */
export interface RequestLine {
  /** A UUID with the time of the request. */
  id: string;
  merchantId: string;
  environment: Environment;
  /** The API key of the request. Null if the request was authenticated by a session. */
  apiKeyId: string | null;
  method: string;
  path: string;
  parameters: readonly string[];
  /** The status of the response. Null if the caller hung up before the response. */
  status: number | null;
  errorCode: string | null;
  /** The message of a refusal, without documents and secrets. */
  errorMessage: string | null;
  durationMs: number;
  objectId: string | null;
  /** The request id that the caller sent. Null if the caller sent no id; `id` is then the request id. */
  requestId: string | null;
}

/**
 * Replaces a caller's request id if the id may be a CPF, a CNPJ or an API key. None of these contains the
 * character `?`.
 */
export const REDACTED_ID = '?';

const names = [
  'id uuid',
  'merchant_id uuid',
  'environment text',
  'api_key_id uuid',
  'method text',
  'path text',
  'parameters text[]',
  'status smallint',
  'error_code text',
  'duration_ms integer',
  'object_id uuid',
  'request_id text',
  'error_message text',
].map((each) => each.split(' '));

const COLUMNS = columnsOf(names.map(([name]) => name).join(', '));

/**
 * Returns a line as one text, because waiting texts need half the memory of objects. No value contains a tab,
 * a comma or a line break. An empty value stands for null.
 */
export function textOf(line: RequestLine): string {
  return [
    line.id,
    line.merchantId,
    line.environment,
    line.apiKeyId,
    line.method,
    line.path,
    `{${line.parameters.join()}}`,
    line.status,
    line.errorCode,
    line.durationMs,
    line.objectId,
    line.requestId,
    line.errorMessage,
  ].join('\t');
}

const VALUES = names.map(([, type], at) => `f[${at + 1}]::${type}`);

/**
 * After an error it is unknown whether the lines were written, so a retry may send them again. The statement
 * ignores lines that the table already has.
 */
const INSERT = `
  INSERT INTO request_log (${names.map(([name]) => name).join(', ')})
  SELECT ${VALUES.join(', ')}
  FROM (
    SELECT string_to_array(line, chr(9), '') AS f FROM unnest(string_to_array($1,
    chr(10))) AS line OFFSET 0) AS lines
  ON CONFLICT DO NOTHING`;

export async function insertRequests(db: Queryable, texts: readonly string[]): Promise<void> {
  await db.query(INSERT, [texts.join('\n')]);
}

/** Rows are counted up to this number, because counting more would take longer than reading the page. */
const MAX_COUNTED = 10_000;

/**
 * Returns one page of a merchant's requests since the time `since`, newest first. The page's total counts all
 * matching requests, but at most MAX_COUNTED.
 */
export function listRequests(
  db: Queryable,
  tenant: Tenant,
  { since, page, limit, after, ...filters }: LoggedRequestQuery & { since: Date },
): Promise<Page<RequestLine>> {
  const matching = requestsOf(tenant, { from: firstIdOf(since), ...filters }).select(selected(COLUMNS));
  const listing = { matching, newestBy: ['id'], countAtMost: MAX_COUNTED };
  return readRows<RequestLine>(db, listing, { page, limit, after });
}

type Filters = Omit<LoggedRequestQuery, 'page' | 'limit' | 'after'>;

/** Selects the requests of a merchant that match the filters and whose id is at least `from`. */
function requestsOf(
  { merchantId, environment }: Tenant,
  { from, startDate, endDate, method, source, apiKeyId, objectId, ...others }: Filters & { from: string },
): ComposedQuery {
  const matching = sql('request_log').where({ merchant_id: merchantId, environment }).where('id', '>=', from);
  if (startDate) matching.where('id', '>=', firstIdOf(startDate));
  if (endDate) matching.where('id', '<', firstIdOf(endDate));
  if (method) matching.where({ method });
  if (source === 'key') matching.whereNotNull('api_key_id');
  if (source === 'session') matching.whereNull('api_key_id');
  if (apiKeyId) matching.where({ api_key_id: apiKeyId });
  if (objectId) matching.where({ object_id: objectId });
  return matching.where(endedAndNamed(others));
}

/**
 * The conditions `4xx` and `5xx` begin with the condition of the partial index on failed requests, so that
 * PostgreSQL uses this index.
 */
const statuses = {
  '2xx': 'status BETWEEN 200 AND 299',
  '4xx': 'status >= 400 AND status < 500',
  '5xx': 'status >= 400 AND status >= 500',
} as const;

type Narrow = (rows: ComposedQuery) => void;

function endedAndNamed({ status, path, requestId, search }: Partial<Filters>): Narrow {
  return (rows) => {
    if (status) rows.whereRaw(statuses[status]);
    if (path) rows.where(beginsWith(path));
    if (requestId) rows.where(named(requestId));
    if (search) rows.where(search.startsWith('/') ? beginsWith(search) : namedOrAbout(search));
  };
}

function beginsWith(path: string): Narrow {
  return (rows) => void rows.whereRaw('starts_with(path, ?)', [path]);
}

/**
 * Selects the line with this request id. If the caller sent no request id, the line's own id is its request
 * id.
 */
function named(requestId: string): Narrow {
  return (rows) => {
    rows.where({ request_id: requestId });
    if (isUuid(requestId)) rows.orWhere({ id: requestId, request_id: null });
  };
}

function namedOrAbout(id: string): Narrow {
  return (rows) => {
    rows.where(named(id));
    if (isUuid(id)) rows.orWhere({ object_id: id });
  };
}
