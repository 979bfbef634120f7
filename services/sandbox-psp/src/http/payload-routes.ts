import { createBulkhead } from '@plataforma/http';
import type { IRouter } from 'express';
import type { SandboxPspDependencies } from '../dependencies.ts';
import { isActive } from '../domain/charge.ts';
import { isLocationToken, LOCATION_PATH } from '../domain/location.ts';
import { PixProblem } from '../domain/pix-problem.ts';
import { findChargeByLocation } from '../store/charges.ts';
import { forStrangers } from './strangers.ts';
import { payloadView } from './views.ts';

const JWKS_PATH = '/.well-known/jwks.json';

/**
 * Adds the routes of API Pix 2.9.0, tag CobPayload. Callers need no credentials, because the token in the
 * path cannot be guessed.
 */
export function payloadRoutes(
  router: IRouter,
  dependencies: SandboxPspDependencies,
  publicUrl: () => string,
): void {
  const { database, signer, config } = dependencies;
  const serve = forStrangers(config, createBulkhead('payerReads'));
  const read = serve<{ token: string }>(async (req, res) => {
    const { token } = req.params;
    const charge = isLocationToken(token) ? await findChargeByLocation(database, token) : undefined;
    if (!charge) throw new PixProblem('CobPayloadNaoEncontrado');
    if (!isActive(charge)) throw new PixProblem('CobPayloadRemovido');
    const jws = await signer.sign(payloadView(charge, new Date()), publicUrl() + JWKS_PATH);
    res.type('application/jose').send(Buffer.from(jws));
  });
  router.get(`${LOCATION_PATH}/:token`, read);

  router.get(JWKS_PATH, (_req, res) => void res.json(signer.publicKeys));
}
