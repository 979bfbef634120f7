import { expect, test } from '@jest/globals';
import { endpoints, schemaOf } from '../src/index.ts';

test.each(endpoints.map((endpoint) => [endpoint.method, endpoint.path, endpoint] as const))(
  '%s %s refuses a parameter it does not know',
  (_method, _path, endpoint) => {
    const result = schemaOf(endpoint, 'query').safeParse({ nobodyReadsThis: '1' });

    expect(result.error?.issues).toContainEqual(expect.objectContaining({ code: 'unrecognized_keys' }));
  },
);
