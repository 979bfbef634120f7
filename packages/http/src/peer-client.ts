import { z } from 'zod';
import { IDENTITY_HEADER, type Signer } from './identity.ts';
import { createJsonClient, type Peer, type PeerAnswer, type PeerRequest } from './json-client.ts';

interface PeerOptions extends Pick<Peer, 'baseUrl' | 'timeoutMs' | 'unanswered'> {
  /** The name of the peer. The peer requires it as the audience of the identity token. */
  service: string;
  signer: Signer;
}

interface Request extends Pick<PeerRequest, 'method' | 'path'> {
  /** The value that the client sends as JSON. */
  body?: unknown;
  /** Further headers of the request. */
  headers?: Record<string, string> | undefined;
}

/** A client for the internal routes of another service of ours. */
export interface PeerClient {
  /** Returns any definite answer. Throws `unanswered()` when the outcome is unknown. */
  send(request: Request): Promise<PeerAnswer>;
  /**
   * Returns the `data` of a 200 answer that fits the schema, and throws `unanswered()` otherwise. Sends POST
   * with a body, and GET without a body.
   */
  ask<T>(path: string, data: z.ZodType<T>, body?: unknown): Promise<T>;
}

export function createPeerClient({ service, signer, ...peer }: PeerOptions): PeerClient {
  const exchange = createJsonClient({ ...peer, isOurs: true });

  function send({ method, path, body, headers: further }: Request): Promise<PeerAnswer> {
    const identity = { ...further, [IDENTITY_HEADER]: signer.sign({ kind: 'service' }, service) };
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
