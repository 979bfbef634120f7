import { type DescribedMethod, describedMethods } from '@plataforma/sdk/described';
import { kebabCase } from './fields.ts';

/** An endpoint as a command line calls it. */
export type Endpoint = DescribedMethod;

/** Each endpoint by the words that call it: `charges refund`, `sandbox clock move`. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  describedMethods.map((method) => [method.path.map(kebabCase).join(' '), method]),
);
