import type { Database } from '@plataforma/data';
import { validate } from '@plataforma/http';
import type { IRouter } from 'express';
import { z } from 'zod';
import { faults, isRefusable, operations } from '../domain/fault.ts';
import { appendFaults, clearFaults, listFaults } from '../store/faults.ts';

const PATH = '/control/faults';

const faultBody = z
  .strictObject({
    operation: z.enum(operations),
    fault: z.enum(faults),
    times: z.int().min(1).max(1_000),
  })
  .refine(({ operation, fault }) => fault !== 'refused' || isRefusable(operation), {
    path: ['fault'],
    message: 'only orders that move money are refused',
  });

export function controlFaultRoutes(router: IRouter, database: Database): void {
  router.post(PATH, async (req, res) => {
    const order = validate(faultBody, req.body ?? {});
    await appendFaults(database, order);
    res.json(order);
  });

  router.get(PATH, async (_req, res) => {
    res.json({ faults: await listFaults(database) });
  });

  router.delete(PATH, async (_req, res) => {
    await clearFaults(database);
    res.json({ faults: [] });
  });
}
