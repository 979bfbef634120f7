import type { Request } from 'express';
import { clientOfSecretKey, clientOfToken } from '../domain/access-token.ts';
import { CardProblem } from '../domain/card-problem.ts';
import type { Client, Clients } from '../domain/client.ts';
import { PixProblem } from '../domain/pix-problem.ts';
import { basicCredentials } from './basic-credentials.ts';

type Headers = Pick<Request, 'get'>;

const BEARER = /^Bearer +([\w.-]+)$/i;

export function findClient(req: Headers, clients: Clients): Client | undefined {
  const token = BEARER.exec(req.get('authorization') ?? '')?.[1];
  return token === undefined ? undefined : clientOfToken(token, clients, new Date());
}

/**
 * Returns the client of the request's access token. Throws AcessoNegado if the token is missing or not valid.
 */
export function clientOf(req: Headers, clients: Clients): Client {
  const client = findClient(req, clients);
  if (!client) throw new PixProblem('AcessoNegado');
  return client;
}

export function findCardClient(req: Headers, clients: Clients): Client | undefined {
  const { user, password } = basicCredentials(req);
  return password === '' ? clientOfSecretKey(user, clients) : undefined;
}

/**
 * Returns the client whose secret key for cards the request contains. Throws `unauthorized` if the key is
 * missing or not valid.
 */
export function cardClientOf(req: Headers, clients: Clients): Client {
  const client = findCardClient(req, clients);
  if (!client) throw new CardProblem('unauthorized', 'Authorization has been denied for this request.');
  return client;
}
