import { Download, List, Plataforma } from '@plataforma/sdk';

const ID = '0193a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b';

/** The method of the SDK that calls an endpoint, as it is written: `charges.create`. */
export interface SdkMethod {
  name: string;
  answers: 'data' | 'list' | 'file';
}

/** The methods by what they send, `GET /v1/charges/:id`: each is called once, and nothing answers. */
export async function readSdkMethods(): Promise<Map<string, SdkMethod[]>> {
  const methods = new Map<string, SdkMethod[]>();
  let called: SdkMethod | undefined;
  const plataforma = new Plataforma({
    ...{ apiKey: 'key', baseUrl: 'https://api.example', maxRetries: 0 },
    fetch: async (url, { method = 'GET' } = {}) => {
      const route = `${method} ${new URL(String(url)).pathname.replace(ID, ':id')}`;
      if (called) methods.set(route, [...(methods.get(route) ?? []), called]);
      throw new TypeError('nothing answers');
    },
  });
  for (const [name, method] of methodsIn(plataforma)) {
    const own: SdkMethod = { name, answers: 'data' };
    called = own;
    const answer = method(ID, {}, {});
    if (answer instanceof List) own.answers = 'list';
    if (answer instanceof Download) own.answers = 'file';
    const asked =
      answer instanceof List ? answer.page() : answer instanceof Download ? answer.text() : answer;
    await Promise.resolve(asked).catch(() => undefined);
  }
  return methods;
}

type Method = (...given: unknown[]) => unknown;

function methodsIn(resource: object, prefix = ''): [string, Method][] {
  return Object.entries(resource).flatMap(([name, each]): [string, Method][] =>
    typeof each === 'function' ? [[prefix + name, each]] : methodsIn(each, `${prefix}${name}.`),
  );
}
