import { whenClosed } from '@plataforma/http';
import { environments, Refusal } from '@plataforma/kernel';
import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import type { WebDependencies } from '../dependencies.ts';
import { sessionIdIn } from '../session/access-tokens.ts';
import { type Session, sessionKeyOf } from '../session/cookie.ts';
import { asOwner } from './as-owner.ts';
import { callerHeaders } from './forwarded-headers.ts';
import { serveStream } from './stream.ts';

const account = z.object({ data: z.object({ id: z.uuid() }) });

/** Streams the changes of one environment of a merchant to the merchant's pages. */
export function streamRoutes(app: Router, dependencies: WebDependencies): void {
  app.get('/api/stream', async (req, res) => {
    const environment = environments.find((each) => each === req.query.environment);
    if (!environment)
      throw new Refusal('invalid', 'VALIDATION_ERROR', 'environment: must be sandbox or production');
    const session = dependencies.sessions.require(req);
    const holder = sessionKeyOf(session);
    const findTopic = async () => {
      const { body } = await asOwner(
        dependencies,
        { req, res, session },
        { method: 'GET', path: '/v1/account' },
      );
      const id = account.safeParse(body).data?.data.id;
      if (id === undefined) throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'try again shortly');
      await endWithSession(dependencies, { req, res, session });
      const tenant = await dependencies.tenants.tenantOf(environment, session, async () => ({ body }));
      return { topic: `${id} ${environment}`, tenant };
    };
    await serveStream(dependencies, { req, res }, { kind: 'session', holder, findTopic });
  });
}

/** Ends this stream when its session ends, in this replica or in another one. */
async function endWithSession(
  { accessTokens, addressOf, live }: WebDependencies,
  { req, res, session }: { req: Request; res: Response; session: Session },
): Promise<void> {
  const token = await accessTokens.tokenOf(session, res, callerHeaders(addressOf, req, res));
  const release = live.onSessionEnd(sessionIdIn(token), () => res.end());
  whenClosed(res, release);
}
