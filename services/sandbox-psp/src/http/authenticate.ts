import type { Request } from 'express';
import { clientOfToken } from '../domain/access-token.ts';
import type { Client, Clients } from '../domain/client.ts';
import { PixProblem } from '../domain/pix-problem.ts';

const BEARER = /^Bearer +([\w.-]+)$/i;

/** The receiver whose access token came with the request. */
export function clientOf(req: Request, clients: Clients): Client {
  const token = BEARER.exec(req.get('authorization') ?? '')?.[1];
  const client = token === undefined ? undefined : clientOfToken(token, clients, new Date());
  if (!client) throw new PixProblem('AcessoNegado');
  return client;
}
