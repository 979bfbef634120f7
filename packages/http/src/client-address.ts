import type { IncomingMessage } from 'node:http';
import { callerAddress, isAddressOrRange } from '@plataforma/kernel/addresses';
import { z } from 'zod';
import { headerOf } from './follow.ts';

/** A setting: our own proxies, whose X-Forwarded-For is believed, as addresses and CIDR ranges, separated by commas. */
export const trustedProxies = z
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

/** Believes `X-Forwarded-For` as far as our own proxies wrote it; no other header says where a call comes from. */
export function clientAddress(isOurProxy: (address: string) => boolean): AddressOf {
  return (req) => {
    const connection = req.socket.remoteAddress ?? '';
    return callerAddress({ connection, forwardedFor: headerOf(req, 'x-forwarded-for') ?? '' }, isOurProxy);
  };
}
