export type { AnswerTo, Call, CallOptions, Page, RouteName } from './call.ts';
export { type ClientOptions, createClient } from './client.ts';
export { ApiError, ConnectionError } from './errors.ts';
