import { type DescribedMethod, describedMethods } from '@plataforma/sdk/described';
import { kebabCase } from './fields.ts';

export type Endpoint = DescribedMethod;

/**
 * The API's endpoints. The key is the command that calls the endpoint, such as `charges refund` or `sandbox
 * clock move`.
 */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  describedMethods.map((method) => [method.path.map(kebabCase).join(' '), method]),
);
