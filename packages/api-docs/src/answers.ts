import type { Endpoint } from '@plataforma/contracts';
import { meta } from '@plataforma/contracts';
import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { failuresOf } from './failures.ts';
import { headersOf, onSandbox } from './headers.ts';

export function answersOf(endpoint: Endpoint): Record<string, ZodOpenApiResponseObject> {
  const { status, otherStatus } = endpoint;
  const headers = headersOf(endpoint, endpoint.warnsInSandbox ? onSandbox : {});
  const success = { headers, content: contentOf(endpoint) };
  return {
    [`${status}`]: { description: 'Success.', ...success },
    ...(otherStatus
      ? {
          [`${otherStatus.status}`]: {
            description: otherStatus.when,
            ...success,
            ...(otherStatus.data && { content: json(envelopeOf({ ...endpoint, data: otherStatus.data })) }),
          },
        }
      : {}),
    ...failuresOf(endpoint),
  };
}

function contentOf(endpoint: Endpoint) {
  const files = (endpoint.alsoAs ?? []).map(({ mediaType, description, example }) => {
    return [mediaType, { schema: z.string().meta({ description }), example }] as const;
  });
  return { ...json(envelopeOf(endpoint)), ...Object.fromEntries(files) };
}

function envelopeOf(endpoint: Endpoint): z.ZodType {
  const success = z.literal(true);
  return endpoint.paged
    ? z.object({ success, data: z.array(endpoint.data), meta })
    : z.object({ success, data: endpoint.data });
}

function json(schema: z.ZodType) {
  return { 'application/json': { schema } };
}
