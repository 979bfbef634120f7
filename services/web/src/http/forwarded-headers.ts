import { type AddressOf, headerOf } from '@plataforma/http';
import type { Request, Response } from 'express';

/** The request headers of a page that are forwarded to the gateway. All others are dropped. */
const FORWARDED = ['accept', 'content-type', 'idempotency-key', 'user-agent', 'x-environment'] as const;
/** The response headers of the gateway that are passed to a page. All others are dropped. */
const PASSED = [
  ...['content-type', 'content-disposition', 'content-length', 'content-security-policy'],
  ...['retry-after', 'x-sandbox-warning'],
];

/**
 * Returns the caller's address, request id and user agent. The gateway trusts the address if its
 * TRUSTED_PROXIES contains this service.
 */
export function callerHeaders(addressOf: AddressOf, req: Request, res: Response): Record<string, string> {
  return {
    'x-forwarded-for': addressOf(req),
    'x-request-id': String(res.getHeader('x-request-id') ?? ''),
    ...some(req, 'user-agent'),
  };
}

export function forwardedHeaders(req: Request): Record<string, string> {
  return Object.assign({}, ...FORWARDED.map((name) => some(req, name)));
}

function some(req: Request, name: string): Record<string, string> {
  const value = headerOf(req, name);
  return value === undefined ? {} : { [name]: value };
}

export function passHeaders(res: Response, headers: Record<string, string | string[] | undefined>): void {
  for (const name of PASSED) {
    const value = headers[name];
    if (value !== undefined) res.setHeader(name, value);
  }
}
