import { createBulkhead } from '@plataforma/http';
import type { IRouter } from 'express';
import type { SandboxPspDependencies } from '../dependencies.ts';
import { CardProblem } from '../domain/card-problem.ts';
import type { Client, Clients } from '../domain/client.ts';
import { tokenizeCard } from '../operations/tokenize-card.ts';
import { readCard } from './card-requests.ts';
import { forStrangers } from './strangers.ts';

const PATH = '/core/v5/tokens';

/**
 * Adds the route at which browsers exchange card data for a token, so that the receiver's servers never get a
 * card number.
 */
export function cardTokenRoutes(
  router: IRouter,
  { database, clients, config }: SandboxPspDependencies,
): void {
  const serve = forStrangers(config, createBulkhead('cardTokens'));
  const create = serve(async (req, res) => {
    const { id: clientId } = clientOfPublicKey(req.query.appId, clients);
    const { number, holderName, expiry } = readCard(req.body);
    const { id, card, createdAt, endsAt } = await tokenizeCard(database, {
      clientId,
      number,
      expiry,
      now: new Date(),
    });
    res.json({
      id,
      type: 'card',
      created_at: createdAt.toISOString(),
      expires_at: endsAt.toISOString(),
      card: {
        last_four_digits: card.lastFour,
        first_six_digits: card.firstSix,
        holder_name: holderName,
        exp_month: expiry.month,
        exp_year: expiry.year,
        brand: card.brand,
      },
    });
  });
  router.post(PATH, create);
}

/**
 * Permits every web page to call the route for card tokens, and answers preflight requests. This handler must
 * be the first, because browsers must be able to read refusals of later handlers.
 */
export function openTokensToBrowsers(router: IRouter): void {
  router.use(PATH, (_req, res, next) => {
    res.setHeader('Access-Control-Allow-Origin', '*');
    next();
  });
  router.options(PATH, (_req, res) => {
    res.setHeader('Access-Control-Allow-Methods', 'POST');
    res.setHeader('Access-Control-Allow-Headers', 'content-type');
    res.setHeader('Access-Control-Max-Age', '600');
    res.status(204).end();
  });
}

function clientOfPublicKey(appId: unknown, clients: Clients): Client {
  const client = [...clients.values()].find(({ cards }) => cards && cards.publicKey === appId);
  if (!client) throw new CardProblem('unauthorized', 'Authorization has been denied for this request.');
  return client;
}
