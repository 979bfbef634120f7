import type { Endpoint } from '@plataforma/contracts';
import { api, schemaOf } from '@plataforma/contracts';
import { z } from 'zod';
import { journey, type Step } from './journey.ts';

/** The schema URL by which programs that import the collection recognise its format. */
const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

const DESCRIPTION = `This collection has every request that merchants may send. The order of the requests
gives each one the values that it needs. Run the whole collection against a sandbox, or send single requests.
The first folder registers an account with an invented CNPJ. To use your own account, skip this folder and set
the variable \`apiKey\`. The variable \`webhookUrl\` is the address that receives webhooks. Some effects, such
as the credit of a payment, happen a moment later, so a request may have to be sent again. The requests
include the file of a dispute and the token of a card.`;

/** Returns a Postman collection (v2.1) whose requests go to `baseUrl`. */
export function collectionOf(baseUrl: string) {
  return {
    info: { name: 'Plataforma', description: DESCRIPTION, schema: FORMAT },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-API-Key', type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: variablesOf(baseUrl).map(([key, value]) => ({ key, value, type: 'string' })),
    item: journey.map(({ folder, steps }) => ({ name: folder, item: steps.map(itemOf) })),
  };
}

function variablesOf(baseUrl: string): [string, string][] {
  const steps = journey.flatMap((folder) => folder.steps);
  const saved = steps.flatMap(({ saves = {} }) => Object.keys(saves));
  const empty = new Set(['email', 'cnpj', 'cardToken', ...saved]);
  return [
    ['baseUrl', baseUrl],
    ['password', 'uma senha longa'],
    ['webhookUrl', 'https://loja.example/webhooks/plataforma'],
    ...[...empty].map((name): [string, string] => [name, '']),
  ];
}

function itemOf(step: Step) {
  const endpoint: Endpoint = api[step.operation];
  const { summary, description = '', method } = endpoint;
  const body = bodyOf(endpoint, step);
  const auth = authOf(endpoint);
  return {
    name: step.title ?? summary,
    event: [
      ...(step.before ? [scriptOf('prerequest', step.before)] : []),
      scriptOf('test', checksOf(endpoint, step)),
    ],
    request: {
      method: method.toUpperCase(),
      description,
      header: headersOf(endpoint, body !== undefined),
      url: urlOf(endpoint, step),
      ...(auth && { auth }),
      ...(body !== undefined && { body: sentAs(endpoint, body) }),
    },
    response: [],
  };
}

const BOUNDARY = 'plataforma-form';
const PDF = '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n';

function sentAs({ takesFile }: Endpoint, body: unknown) {
  if (takesFile) return { mode: 'raw', raw: formOf(Object(body)) };
  return { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } };
}

/** Writes the body of a form as text (RFC 7578), because a collection cannot contain a file. */
function formOf(fields: Readonly<Record<string, unknown>>): string {
  const fieldTexts = Object.entries({ ...fields, file: PDF }).map(([name, value]) => {
    const fileName = name === 'file' ? '; filename="entrega-1001.pdf"' : '';
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${fileName}\r\n\r\n${value}\r\n`;
  });
  return `${fieldTexts.join('')}--${BOUNDARY}--\r\n`;
}

function bodyOf({ examples = [] }: Endpoint, { body }: Step): unknown {
  return body ?? examples[0]?.body;
}

/** Returns the authentication of a request. Undefined means the collection's default, an API key. */
function authOf({ access }: Endpoint) {
  if (access.kind === 'merchant') return undefined;
  if (access.kind === 'public') return { type: 'noauth' };
  return { type: 'bearer', bearer: [{ key: 'token', value: '{{accessToken}}', type: 'string' }] };
}

function headersOf({ keyed, takesFile }: Endpoint, hasBody: boolean) {
  const type = takesFile ? `multipart/form-data; boundary=${BOUNDARY}` : 'application/json';
  return [
    ...(hasBody ? [{ key: 'Content-Type', value: type }] : []),
    ...(keyed ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
  ];
}

/** Lists unsent query parameters as disabled, because each of them is optional. */
function urlOf(endpoint: Endpoint, { id, query: sent = {} }: Step) {
  const query = schemaOf(endpoint, 'query');
  const names = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
  return {
    raw: `{{baseUrl}}${endpoint.path}`,
    host: ['{{baseUrl}}'],
    path: endpoint.path.split('/').slice(1),
    ...(id !== undefined && {
      variable: [{ key: /:(\w+)/.exec(endpoint.path)?.[1] ?? 'id', value: `{{${id}}}` }],
    }),
    ...(names.length > 0 && {
      query: names.map((key) => ({ key, value: sent[key] ?? '', disabled: sent[key] === undefined })),
    }),
  };
}

function checksOf({ status, otherStatus }: Endpoint, { saves = {}, orRefused }: Step): string[] {
  const good = [status, otherStatus?.status, orRefused].filter((one) => one !== undefined);
  const saving = Object.entries(saves).map(
    ([name, path]) => `pm.collectionVariables.set('${name}', pm.response.json().${path});`,
  );
  return [
    `pm.test('is answered ${good.join(' or ')}', () => pm.expect(pm.response.code).to.be.oneOf([${good.join(', ')}]));`,
    ...saving,
  ];
}

function scriptOf(listen: 'prerequest' | 'test', exec: readonly string[]) {
  return { listen, script: { type: 'text/javascript', exec } };
}
