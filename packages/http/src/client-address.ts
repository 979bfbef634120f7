import type { IncomingMessage } from 'node:http';
import { callerAddress, isAddressOrRange, plainAddress } from '@plataforma/kernel/addresses';
import { z } from 'zod';
import { headerOf } from './follow.ts';

/** A setting: addresses and CIDR ranges, separated by commas. */
export const addressRanges = z
  .string()
  .default('')
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .transform((entries) => entries.filter((entry) => entry !== ''))
  .refine(
    (entries) => entries.every(isAddressOrRange),
    'must be addresses or CIDR ranges, separated by commas',
  );

/** Where a request comes from. */
export type AddressOf = (req: IncomingMessage) => string;

/** A response header: the caller's `X-Forwarded-For` was ignored. */
export const FORWARDED_FOR_IGNORED = 'x-forwarded-for-ignored';

/** Whether another caller is named than the one that is believed: by a forger, or by a proxy that is not known as ours. */
export function isForwardedForIgnored(req: IncomingMessage, addressOf: AddressOf): boolean {
  const [first] = /[^\s,][^,]*/.exec(headerOf(req, 'x-forwarded-for') ?? '') ?? [];
  return first !== undefined && plainAddress(first.trim()) !== addressOf(req);
}

/** Tells whether the caller came to one of our own proxies by https; the word of no other sender counts. */
export function cameByHttps(isOurProxy: (address: string) => boolean): (req: IncomingMessage) => boolean {
  return (req) =>
    headerOf(req, 'x-forwarded-proto') === 'https' &&
    isOurProxy(plainAddress(req.socket.remoteAddress ?? ''));
}

/** Believes `X-Forwarded-For` as far as our own proxies wrote it; no other header says where a call comes from. */
export function clientAddress(isOurProxy: (address: string) => boolean): AddressOf {
  return (req) => {
    const connection = req.socket.remoteAddress ?? '';
    return callerAddress({ connection, forwardedFor: headerOf(req, 'x-forwarded-for') ?? '' }, isOurProxy);
  };
}
