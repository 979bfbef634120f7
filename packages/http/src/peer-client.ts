import { z } from 'zod';
import { IDENTITY_HEADER, type Signer } from './identity.ts';
import { createJsonClient, type Peer, type PeerAnswer, type PeerRequest } from './json-client.ts';

interface PeerOptions extends Pick<Peer, 'baseUrl' | 'timeoutMs' | 'unanswered'> {
  /** The peer's name, as its verifier requires it. */
  service: string;
  /** Signs in the name of the service that asks. */
  signer: Signer;
}

interface Request extends Pick<PeerRequest, 'method' | 'path'> {
  /** Sent as JSON. */
  body?: unknown;
}

/** Another service of ours, on its internal side. */
export interface PeerClient {
  /** Any definite answer, whatever it says. */
  send(request: Request): Promise<PeerAnswer>;
  /** The `data` of what is there; unanswered unless it is there and can be read. With a body it is a POST. */
  ask<T>(path: string, data: z.ZodType<T>, body?: unknown): Promise<T>;
}

export function createPeerClient({ service, signer, ...peer }: PeerOptions): PeerClient {
  const exchange = createJsonClient({ ...peer, isOurs: true });

  function send({ method, path, body }: Request): Promise<PeerAnswer> {
    const identity = { [IDENTITY_HEADER]: signer.sign({ kind: 'service' }, service) };
    if (body === undefined) return exchange({ method, path, headers: identity });
    const headers = { 'content-type': 'application/json', ...identity };
    return exchange({ method, path, headers, body: JSON.stringify(body) });
  }

  return {
    send,
    async ask(path, data, sent) {
      const method = sent === undefined ? 'GET' : 'POST';
      const { status, body } = await send({ method, path, body: sent });
      const answer = z.object({ data }).safeParse(body);
      if (status === 200 && answer.success) return answer.data.data;
      const cause = answer.error ?? new Error(`${service} answered ${status}`);
      throw Object.assign(peer.unanswered(), { cause });
    },
  };
}
