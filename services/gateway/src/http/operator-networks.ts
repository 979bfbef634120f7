import { api } from '@plataforma/contracts';
import type { AddressOf, HttpRequest } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { addressList } from '@plataforma/kernel/addresses';
import type { Express } from 'express';

/**
 * Creates a check that refuses an operator's request from an address outside these networks. An empty list
 * allows every address.
 */
export function operatorNetworks(
  networks: readonly string[],
  addressOf: AddressOf,
): (req: HttpRequest) => void {
  const isAllowed = networks.length === 0 ? () => true : addressList(networks);
  return (req) => {
    if (isAllowed(addressOf(req))) return;
    throw new Refusal('forbidden', 'IP_NOT_ALLOWED', 'operators may not use the platform from this address');
  };
}

/**
 * Checks the network of requests that have no access token yet, before any limit counts them. The check of
 * the access token does the same for all other endpoints of operators.
 */
export function guardOperatorLogins(
  app: Express,
  { requireOperatorNetwork }: { requireOperatorNetwork: (req: HttpRequest) => void },
): void {
  for (const { path } of [api.logInOperator, api.refreshOperator]) {
    app.post(path, (req, _res, next) => {
      requireOperatorNetwork(req);
      next();
    });
  }
}
