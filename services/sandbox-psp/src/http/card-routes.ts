import { readBody } from '@plataforma/http';
import express, { type IRouter, type Request } from 'express';
import type { SandboxPspDependencies } from '../dependencies.ts';
import { CardProblem } from '../domain/card-problem.ts';
import { cardChargeOf, cardOrderOf } from '../domain/card-view.ts';
import { createCardOrder } from '../operations/create-card-order.ts';
import { refundCard } from '../operations/refund-card-charge.ts';
import {
  findCardCharge,
  findCardChargeByOrder,
  listCardCharges,
  listCardChargesByCode,
} from '../store/card-charges.ts';
import { cardClientOf as clientOf } from './authenticate.ts';
import { answerCardError, answerNoCardThing } from './card-errors.ts';
import { readCardOrder, readChargesQuery, readRefundAmount } from './card-requests.ts';
import { cardTokenRoutes, openTokensToBrowsers } from './card-token-routes.ts';
import { SILENCE, underFaults } from './under-faults.ts';

const BASE = '/core/v5';

/** Adds the routes of Pagar.me v5 for card payments, with errors in the format of Pagar.me. */
export function cardRoutes(app: IRouter, dependencies: SandboxPspDependencies): void {
  const router = express.Router();
  openTokensToBrowsers(router);
  router.use(BASE, readBody());
  cardTokenRoutes(router, dependencies);
  orderRoutes(router, dependencies);
  chargeRoutes(router, dependencies);
  router.use(BASE, answerNoCardThing);
  router.use(answerCardError(dependencies.log));
  app.use(router);
}

function orderRoutes(router: IRouter, { database, clients, config }: SandboxPspDependencies): void {
  const serve = underFaults({ database, clients }, clientOf);
  const create = serve('card.charge', async (req: Request, { id: clientId }) => {
    const { charge, isSilent } = await createCardOrder(database, {
      clientId,
      ...readCardOrder(req.body),
      idempotencyKey: idempotencyKeyOf(req),
      now: new Date(),
      delayMs: config.CARD_SETTLEMENT_MS,
    });
    return isSilent ? SILENCE : { status: 200, body: cardOrderOf(charge) };
  });
  router.post(`${BASE}/orders`, create);

  router.get(`${BASE}/orders`, async (req, res) => {
    const { id: clientId } = clientOf(req, clients);
    const { code } = req.query;
    if (typeof code !== 'string') throw missingCode();
    const charges = await listCardChargesByCode(database, clientId, code);
    res.json({ data: charges.map(cardOrderOf), paging: { total: charges.length } });
  });

  router.get(`${BASE}/orders/:id`, async (req, res) => {
    const { id: clientId } = clientOf(req, clients);
    const charge = await findCardChargeByOrder(database, clientId, req.params.id);
    if (!charge) throw new CardProblem('missing', 'Order not found.');
    res.json(cardOrderOf(charge));
  });
}

function chargeRoutes(router: IRouter, { database, clients }: SandboxPspDependencies): void {
  const serve = underFaults({ database, clients }, clientOf);
  router.get(`${BASE}/charges`, async (req, res) => {
    const { id: clientId } = clientOf(req, clients);
    const { page, ...period } = readChargesQuery(req.query);
    const { items, total } = await listCardCharges(database, { clientId, ...period }, page);
    res.json({ data: items.map(cardChargeOf), paging: { total } });
  });

  router.get(`${BASE}/charges/:id`, async (req, res) => {
    const { id: clientId } = clientOf(req, clients);
    const charge = await findCardCharge(database, clientId, req.params.id);
    if (!charge) throw new CardProblem('missing', 'Charge not found.');
    res.json(cardChargeOf(charge));
  });

  const refund = serve('card.refund', async (req: Request<{ id: string }>, { id: clientId }) => {
    const answer = await refundCard(database, {
      clientId,
      chargeId: req.params.id,
      amount: readRefundAmount(req.body),
      idempotencyKey: idempotencyKeyOf(req),
      now: new Date(),
    });
    return { status: 200, body: JSON.parse(answer) };
  });
  router.delete(`${BASE}/charges/:id`, refund);
}

const KEY = /^[\x21-\x7e]{1,255}$/;

function idempotencyKeyOf(req: Request): string | null {
  const key = req.get('idempotency-key');
  if (key === undefined) return null;
  if (KEY.test(key)) return key;
  throw new CardProblem('invalid', 'The request is invalid.', {
    'idempotency-key': ['The key is not valid.'],
  });
}

function missingCode(): CardProblem {
  return new CardProblem('invalid', 'The request is invalid.', { code: ['The code is required.'] });
}
