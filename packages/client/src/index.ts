export type {
  AnswerTo,
  Call,
  CallOptions,
  FileRouteName,
  FileTypeOf,
  Page,
  RouteName,
  SentTo,
} from './call.ts';
export { type ClientOptions, createClient, type RequestInput, request, requestFile } from './client.ts';
export { ApiError, ConnectionError } from './errors.ts';
