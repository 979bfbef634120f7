import type { IncomingMessage } from 'node:http';
import { callerAddress, isAddressOrRange, plainAddress } from '@plataforma/kernel/addresses';
import { z } from 'zod';
import { headerOf } from './follow.ts';

export const addressRanges = z
  .string()
  .default('')
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .transform((entries) => entries.filter((entry) => entry !== ''))
  .refine(
    (entries) => entries.every(isAddressOrRange),
    'must be addresses or CIDR ranges, separated by commas',
  );

export type AddressOf = (req: IncomingMessage) => string;

/** The response header that says that the server ignored the caller's `X-Forwarded-For`. */
export const FORWARDED_FOR_IGNORED = 'x-forwarded-for-ignored';

/**
 * Returns true when the first address in `X-Forwarded-For` is not the address that the server accepted.
 * Either the caller forged the header, or one of our proxies is missing in the configuration.
 */
export function isForwardedForIgnored(req: IncomingMessage, addressOf: AddressOf): boolean {
  const [first] = /[^\s,][^,]*/.exec(headerOf(req, 'x-forwarded-for') ?? '') ?? [];
  return first !== undefined && plainAddress(first.trim()) !== addressOf(req);
}

/**
 * Returns a check that a request came by https. The check believes the header `X-Forwarded-Proto` only if one
 * of our proxies sent it.
 */
export function cameByHttps(isOurProxy: (address: string) => boolean): (req: IncomingMessage) => boolean {
  return (req) =>
    headerOf(req, 'x-forwarded-proto') === 'https' &&
    isOurProxy(plainAddress(req.socket.remoteAddress ?? ''));
}

/**
 * Creates a function that returns the address of the caller. The function trusts only the part of
 * `X-Forwarded-For` that our own proxies wrote, and no other header.
 */
export function clientAddress(isOurProxy: (address: string) => boolean): AddressOf {
  return (req) => {
    const connection = req.socket.remoteAddress ?? '';
    return callerAddress({ connection, forwardedFor: headerOf(req, 'x-forwarded-for') ?? '' }, isOurProxy);
  };
}
