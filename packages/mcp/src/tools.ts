import { api, type Endpoint, schemaOf } from '@plataforma/contracts';
import { z } from 'zod';
import type { Settings } from './settings.ts';

/** A tool is an endpoint that takes an API key; its name is that of the endpoint. */
export interface Tool {
  name: string;
  endpoint: Endpoint;
  /** As the client names it: `GET /v1/charges/:id`. */
  route: string;
  reads: boolean;
  /** Of a change in production: it is made once it was confirmed. */
  needsConfirmation: boolean;
  input: z.ZodObject;
}

/** These ask with a body, and keep nothing. */
const READS_BY_POST: ReadonlySet<string> = new Set(['createQuote', 'decodeQr']);

export function toolsFor(settings: Pick<Settings, 'isLive' | 'mayWrite'>): Tool[] {
  return Object.entries(api)
    .filter(([, endpoint]) => isOffered(endpoint, settings))
    .map(([name, endpoint]) => toolOf(name, endpoint, settings))
    .filter(({ reads }) => reads || settings.mayWrite);
}

/** What holds a secret has no place in a conversation, and a file none in an argument. */
function isOffered(endpoint: Endpoint, { isLive }: Pick<Settings, 'isLive'>): boolean {
  if (endpoint.access.kind !== 'merchant' || endpoint.carriesSecret || endpoint.takesFile) return false;
  return !(isLive && isOfSandbox(endpoint));
}

function isOfSandbox({ path }: Endpoint): boolean {
  return path.startsWith('/v1/sandbox/') || path.endsWith('/simulate-payment');
}

function toolOf(name: string, endpoint: Endpoint, { isLive }: Pick<Settings, 'isLive'>): Tool {
  const { method, path } = endpoint;
  const reads = method === 'get' || READS_BY_POST.has(name);
  const needsConfirmation = isLive && !reads;
  const route = `${method.toUpperCase()} ${path}`;
  return { name, endpoint, route, reads, needsConfirmation, input: inputOf(endpoint, needsConfirmation) };
}

const idempotencyKey = z.string().min(1).max(255).optional().meta({
  description:
    'Made by itself. After no answer came, send the one that the failure names: nothing is done twice.',
});
const confirm = z.string().optional().meta({
  description:
    'Left out at first: the answer says what would happen, and what to send here once a person has agreed.',
});

/** Parameters and query side by side, the body under its name. */
function inputOf(endpoint: Endpoint, needsConfirmation: boolean): z.ZodObject {
  const { keyed } = endpoint;
  return z.strictObject({
    ...shapeOf(schemaOf(endpoint, 'params')),
    ...shapeOf(schemaOf(endpoint, 'query')),
    ...(endpoint.body && { body: bodyOf(endpoint.body) }),
    ...(keyed && { idempotencyKey }),
    ...(needsConfirmation && { confirm }),
  });
}

function bodyOf(body: z.ZodType): z.ZodType {
  return body.safeParse({}).success ? body.optional() : body;
}

function shapeOf(schema: z.ZodType): z.ZodRawShape {
  return schema instanceof z.ZodObject ? schema.shape : {};
}
