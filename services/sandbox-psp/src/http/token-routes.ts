import express, { type IRouter, type Request } from 'express';
import { z } from 'zod';
import {
  clientOfCredentials,
  issueToken,
  TOKEN_LIFETIME_SECONDS,
  TOKEN_SCOPE,
} from '../domain/access-token.ts';
import type { Client, Clients } from '../domain/client.ts';
import { basicCredentials } from './basic-credentials.ts';

const readForm = express.urlencoded({ extended: false, limit: '8kb' });

const form = z.object({
  grant_type: z.string().optional(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
});

/**
 * Adds the route that issues access tokens for OAuth2 client credentials (RFC 6749 §4.4). Its errors have the
 * format of the same RFC.
 */
export function tokenRoutes(router: IRouter, clients: Clients): void {
  router.post('/oauth/token', readForm, (req, res) => {
    res.setHeader('Cache-Control', 'no-store');
    const fields = form.safeParse(req.body ?? {}).data ?? {};
    const client = authenticated(req, fields, clients);
    if (!client) {
      res.setHeader('WWW-Authenticate', 'Basic realm="api-pix"');
      res.status(401).json({ error: 'invalid_client', error_description: 'unknown client or wrong secret' });
    } else if (fields.grant_type !== 'client_credentials') {
      res
        .status(400)
        .json({ error: 'unsupported_grant_type', error_description: 'must be client_credentials' });
    } else {
      res.json({
        access_token: issueToken(client, new Date()),
        token_type: 'Bearer',
        expires_in: TOKEN_LIFETIME_SECONDS,
        scope: TOKEN_SCOPE,
      });
    }
  });
}

/**
 * Returns the client whose credentials are in the Authorization header, or in the form if the request has no
 * such header.
 */
function authenticated(req: Request, fields: z.infer<typeof form>, clients: Clients): Client | undefined {
  if (req.get('authorization') === undefined)
    return clientOfCredentials(fields.client_id ?? '', fields.client_secret ?? '', clients);
  const { user, password } = basicCredentials(req);
  return clientOfCredentials(user, password, clients);
}
