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

/** Returns the address of the caller that sent a request. */
export type AddressOf = (req: IncomingMessage) => string;

/** A response header: the caller's `X-Forwarded-For` was ignored. */
export const FORWARDED_FOR_IGNORED = 'x-forwarded-for-ignored';

/**
 * Returns true when `X-Forwarded-For` begins with another address than the accepted one. Either the caller
 * forged it, or a proxy of ours is not configured.
 */
export function isForwardedForIgnored(req: IncomingMessage, addressOf: AddressOf): boolean {
  const [first] = /[^\s,][^,]*/.exec(headerOf(req, 'x-forwarded-for') ?? '') ?? [];
  return first !== undefined && plainAddress(first.trim()) !== addressOf(req);
}

/** Returns a check that a request came by https to one of our proxies; no other sender is believed. */
export function cameByHttps(isOurProxy: (address: string) => boolean): (req: IncomingMessage) => boolean {
  return (req) =>
    headerOf(req, 'x-forwarded-proto') === 'https' &&
    isOurProxy(plainAddress(req.socket.remoteAddress ?? ''));
}

/**
 * Creates a reader of the caller's address. It trusts `X-Forwarded-For` only as far as our own proxies wrote
 * it, and no other header.
 */
export function clientAddress(isOurProxy: (address: string) => boolean): AddressOf {
  return (req) => {
    const connection = req.socket.remoteAddress ?? '';
    return callerAddress({ connection, forwardedFor: headerOf(req, 'x-forwarded-for') ?? '' }, isOurProxy);
  };
}
