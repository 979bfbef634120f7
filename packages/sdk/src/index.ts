export type { Page } from '@plataforma/client';
export type { ErrorCode, Meta } from '@plataforma/contracts';
export { Download } from './download.ts';
export { ApiError, CardDeclinedError, ConnectionError, TimeoutError, UnknownOutcomeError } from './errors.ts';
export { List } from './list.ts';
export type { PlataformaOptions, RequestOptions, RequestReport, WriteOptions } from './options.ts';
export { Plataforma } from './plataforma.ts';
