import type { Schema } from '@plataforma/api-docs/schemas';
import type { Endpoint } from '@plataforma/contracts';
import { LOCAL_API } from '../code.ts';
import { exampleBodyOf, pathOf, queryOf, tokenOf } from './example.ts';

export function curlOf(endpoint: Endpoint, operation: Schema): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(queryOf(endpoint, operation))) query.set(name, String(value));
  const address = `${LOCAL_API}${pathOf(endpoint, operation)}${query.size === 0 ? '' : `?${query}`}`;
  const isRead = endpoint.method === 'get';
  const first = `curl ${isRead ? '' : `-X ${endpoint.method.toUpperCase()} `}${quoted(address)}`;
  return [first, ...headersOf(endpoint), ...bodyOf(endpoint)].join(' \\\n  ');
}

function headersOf(endpoint: Endpoint): string[] {
  const token = tokenOf(endpoint);
  return [
    ...(token === undefined ? [] : [`-H "${token}"`]),
    ...(endpoint.keyed && endpoint.access.kind !== 'public' ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
  ];
}

function bodyOf(endpoint: Endpoint): string[] {
  const body = exampleBodyOf(endpoint);
  if (body === undefined) return [];
  if (endpoint.takesFile) {
    const others = Object.entries(Object(body)).filter(([name]) => name !== 'file');
    const fields = others.map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`);
    return [...fields, '-F file=@proof.pdf'];
  }
  return ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`];
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
