import type { Database } from '@plataforma/data';
import { validate } from '@plataforma/http';
import { MAX_AMOUNT } from '@plataforma/kernel';
import type { IRouter } from 'express';
import { z } from 'zod';
import { cardChargeOf } from '../domain/card-view.ts';
import { chargeCardBack } from '../operations/charge-card-back.ts';
import { refuseCardRefunds } from '../operations/refuse-card-refunds.ts';
import { undoCardChargeback } from '../operations/undo-card-chargeback.ts';
import { text } from './fields.ts';

const chargebackBody = z.strictObject({
  amount: z.int().min(1).max(MAX_AMOUNT).optional(),
  reason: text(140).default('fraud'),
});

const nothing = z.strictObject({});

/** The card holders' side; a charge is named by its order's code. */
export function controlCardRoutes(router: IRouter, database: Database): void {
  router.post('/control/cards/:code/chargeback', async (req, res) => {
    const { amount, reason } = validate(chargebackBody, req.body ?? {});
    const { code } = req.params;
    res.json(cardChargeOf(await chargeCardBack(database, { code, amount, reason, now: new Date() })));
  });

  router.post('/control/cards/:code/undo-chargeback', async (req, res) => {
    validate(nothing, req.body ?? {});
    res.json(cardChargeOf(await undoCardChargeback(database, req.params.code)));
  });

  router.post('/control/cards/:code/refuse-refunds', async (req, res) => {
    validate(nothing, req.body ?? {});
    await refuseCardRefunds(database, req.params.code);
    res.json({ refusesRefunds: true });
  });
}
