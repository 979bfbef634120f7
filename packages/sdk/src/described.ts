import type { Methods } from './methods.ts';
import { resourcesOf } from './resources.ts';

/** A method of the SDK and the endpoint that it calls. */
export interface DescribedMethod {
  /** The names of the method's resource and of the method itself, such as `sandbox`, `charges`, `pay`. */
  path: readonly string[];
  /** The route, such as `POST /v1/charges/:id/refund`. */
  route: string;
  takesId: boolean;
  takesBody: boolean;
  isList: boolean;
  isKeyed: boolean;
  /** The media type of the file that the endpoint answers with, or null. */
  fileType: string | null;
}

type Endpoint = Omit<DescribedMethod, 'path'>;

const plain = { takesId: false, takesBody: false, isList: false, isKeyed: false, fileType: null };

/** Returns a method that only describes its endpoint and throws when called. */
function described(route: string, shape: Partial<Endpoint>): (() => never) & { endpoint: Endpoint } {
  const method = (): never => {
    throw new Error(`${route} is described here, and called elsewhere`);
  };
  return Object.assign(method, { endpoint: { ...plain, ...shape, route } });
}

const keyed = (mark: 'keyed' | undefined) => ({ isKeyed: mark === 'keyed' });

const describing: Methods = {
  plain: (name) => described(name, {}),
  withQuery: (name) => described(name, {}),
  withBody: (name, ...[mark]) => described(name, { takesBody: true, ...keyed(mark) }),
  withId: (name, ...[mark]) => described(name, { takesId: true, ...keyed(mark) }),
  withIdAndBody: (name, ...[mark]) => described(name, { takesId: true, takesBody: true, ...keyed(mark) }),
  list: (name) => described(name, { isList: true }),
  file: (name, fileType) => described(name, { fileType }),
  fileOfId: (name, fileType) => described(name, { takesId: true, fileType }),
};

/**
 * All methods in the order of the resources. The command line, the types and the docs derive from this list.
 */
export const describedMethods: readonly DescribedMethod[] = methodsIn(resourcesOf(describing), []);

function methodsIn(resource: object, path: readonly string[]): DescribedMethod[] {
  return Object.entries(resource).flatMap(([name, each]) =>
    isDescribed(each) ? [{ path: [...path, name], ...each.endpoint }] : methodsIn(each, [...path, name]),
  );
}

function isDescribed(value: unknown): value is { endpoint: Endpoint } {
  return typeof value === 'function' && 'endpoint' in value;
}
