export type { ErrorCode, Meta } from '@plataforma/contracts';
export type { Page } from './client/index.ts';
export { Download } from './download.ts';
export { ApiError, CardDeclinedError, ConnectionError, TimeoutError, UnknownOutcomeError } from './errors.ts';
export { List } from './list.ts';
export type { PlataformaOptions, RequestOptions, RequestReport, WriteOptions } from './options.ts';
export { Plataforma } from './plataforma.ts';
