import { createHash } from 'node:crypto';
import { environments, Refusal } from '@plataforma/kernel';
import type { Router } from 'express';
import { z } from 'zod';
import type { WebParts } from '../parts.ts';
import { asOwner } from './as-owner.ts';
import { serveStream } from './stream.ts';

const account = z.object({ data: z.object({ id: z.uuid() }) });

/** One stream tells a merchant's pages what has changed in one environment. */
export function streamRoutes(app: Router, parts: WebParts): void {
  app.get('/api/stream', async (req, res) => {
    const environment = environments.find((each) => each === req.query.environment);
    if (!environment)
      throw new Refusal('invalid', 'VALIDATION_ERROR', 'environment: must be sandbox or production');
    const { refreshToken } = parts.sessions.demand(req, res);
    const holder = createHash('sha256').update(refreshToken).digest('base64url');
    const topicOf = async () => {
      const { body } = await asOwner(
        parts,
        { req, res, refreshToken },
        { method: 'GET', path: '/v1/account' },
      );
      const id = account.safeParse(body).data?.data.id;
      if (id === undefined) throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'try again shortly');
      return `${id} ${environment}`;
    };
    await serveStream(parts, { req, res }, { kind: 'session', holder, topicOf });
  });
}
