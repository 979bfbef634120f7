export type {
  AnswerTo,
  Call,
  CallOptions,
  FileRouteName,
  FileTypeOf,
  RouteName,
  SentTo,
} from './call.ts';
export {
  type ClientOptions,
  cacheTolerant,
  createClient,
  type RequestInput,
  request,
  requestFile,
} from './client.ts';
export { ApiError, ConnectionError } from './errors.ts';
export type { Page } from './page.ts';
