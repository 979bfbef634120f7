import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isRecord } from './records.ts';
import { decoded } from './text-file.ts';
import { WrongUse } from './wrong-use.ts';

/** Fields of request bodies that are numbers and not texts. A test compares the list with the contract. */
export const numbers = [
  ...['amount', 'minAmount', 'maxAmount', 'expiresIn', 'pixExpiresIn', 'installments', 'uses'],
  ...['times', 'gracePeriodSeconds', 'count'],
];
export const flags = ['isActive', 'late'];
export const lists = ['methods', 'documents', 'events'];
/** Fields whose value is the path of a file. */
const files = ['file'];

type FieldOptions = Record<string, string | boolean | string[] | undefined>;

/**
 * Builds a request body from options: `--external-id 1` becomes `{externalId: "1"}`, `--metadata.shop a`
 * becomes `{metadata: {shop: "a"}}`.
 */
export function bodyOf(options: FieldOptions, data: string | undefined): Record<string, unknown> {
  const body: Record<string, unknown> = data === undefined ? {} : objectIn(data);
  for (const [option, value] of Object.entries(options)) {
    const [name = '', ...inner] = camelCase(option).split('.');
    if (value === undefined) continue;
    if (inner.length === 0) body[name] = valueAs(name, value);
    else body[name] = { ...(isRecord(body[name]) ? body[name] : {}), [inner.join('.')]: value };
  }
  return body;
}

/** Builds a query from options. Every value stays a text, as in a URL. */
export function queryOf(options: FieldOptions): Record<string, unknown> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const query: Record<string, unknown> = {};
  for (const [option, value] of given) {
    const [name = '', ...inner] = camelCase(option).split('.');
    if (inner.length === 0) query[name] = String(value);
    else query[name] = { ...(isRecord(query[name]) ? query[name] : {}), [inner.join('.')]: String(value) };
  }
  return query;
}

export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/**
 * Converts an option's name to camel case. Names inside `metadata` stay unchanged, because the caller defines
 * these names.
 */
function camelCase(option: string): string {
  const [name = '', ...inner] = option.split('.');
  const camel = (text: string) => text.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
  return [camel(name), ...(name === 'metadata' ? inner : inner.map(camel))].join('.');
}

function valueAs(name: string, value: string | boolean | string[]): unknown {
  if (typeof value !== 'string') return value;
  if (numbers.includes(name)) return numberIn(name, value);
  if (flags.includes(name)) return value === 'true' ? true : value === 'false' ? false : value;
  if (lists.includes(name)) return value === '' ? [] : value.split(',');
  if (files.includes(name)) return new File([readFileSync(value)], basename(value));
  return value;
}

function numberIn(name: string, value: string): number {
  if (/^-?\d+$/.test(value)) return Number(value);
  // The message is the same in both languages. The example shows that an amount is in cents.
  throw new WrongUse(`--${name} ${value}${/amount/i.test(name) ? ' (2500 = R$ 25,00)' : ''}`);
}

/** Reads the value of `--data`, which is JSON or `@` and the name of a JSON file. */
function objectIn(data: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(data.startsWith('@') ? decoded(readFileSync(data.slice(1))) : data);
    // Refuse a secret on the command line, because every user of the machine can read a process's arguments.
    if (isRecord(value) && 'secret' in value && !data.startsWith('@')) throw new Error('--secret');
    if (isRecord(value)) return { ...value };
  } catch (error) {
    throw new WrongUse(`--data: ${error instanceof Error ? error.message : error}`);
  }
  throw new WrongUse('--data {…}');
}
