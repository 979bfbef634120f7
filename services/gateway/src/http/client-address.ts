import type { IncomingMessage } from 'node:http';
import { headerOf } from '@plataforma/http';
import { callerAddress } from '../domain/address-list.ts';

/** Where a request comes from. */
export type AddressOf = (req: IncomingMessage) => string;

/** Believes `X-Forwarded-For` as far as our own proxies wrote it; no other header says where a call comes from. */
export function clientAddress(isOurProxy: (address: string) => boolean): AddressOf {
  return (req) => {
    const connection = req.socket.remoteAddress ?? '';
    return callerAddress({ connection, forwardedFor: headerOf(req, 'x-forwarded-for') ?? '' }, isOurProxy);
  };
}
