import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * The response of a fake service or provider. `reset` resets the connection, and `silence` sends no response.
 */
export type Reply =
  | { status: number; body: unknown }
  | { status: number; text: string }
  | 'reset'
  | 'silence';

/**
 * Decides the reply to one request. `perform` executes the request and returns the reply that the real
 * service or provider would send.
 */
export type Behaviour = (perform: () => Reply) => Reply | Promise<Reply>;

export const honest: Behaviour = (perform) => perform();

export function sendReply(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (reply === 'silence') return;
  if (reply === 'reset') return void request.socket.resetAndDestroy();
  response.writeHead(reply.status, { 'content-type': 'application/json' });
  response.end('text' in reply ? reply.text : JSON.stringify(reply.body));
}

/** Faults of a provider. Each behaviour replaces the reply to one request. */

export const silence: Behaviour = () => 'silence';
export const reset: Behaviour = () => 'reset';
export const error500: Behaviour = () => ({ status: 500, text: '' });
export const tooMany: Behaviour = () => ({ status: 429, text: '' });
export const refused: Behaviour = () => ({ status: 400, body: { title: 'CobOperacaoInvalida' } });
export const tokenEnded: Behaviour = () => ({ status: 401, body: { title: 'AcessoNegado' } });
export const nothingHere: Behaviour = () => ({ status: 404, text: '<html>404</html>' });

export const doneThenSilence: Behaviour = doneThen('silence');
export const doneThenReset: Behaviour = doneThen('reset');
export const doneThen500: Behaviour = doneThen({ status: 500, text: 'Internal Server Error' });
export const doneThenGarbage: Behaviour = doneThen({ status: 201, text: '<html>OK</html>' });

export function doneThen(reply: Reply): Behaviour {
  return (perform) => {
    perform();
    return reply;
  };
}

/** Executes the request, and replaces the given fields in the body of the reply. */
export function answeringWith(fields: Record<string, unknown>): Behaviour {
  return (perform) => {
    const reply = perform();
    if (typeof reply === 'string' || 'text' in reply || typeof reply.body !== 'object') return reply;
    return { status: reply.status, body: { ...reply.body, ...fields } };
  };
}

export interface Blocked {
  behaviour: Behaviour;
  arrived: Promise<void>;
  release(): void;
}

/** Returns a behaviour that blocks a request until the test releases it. */
export function blocking(then: Behaviour = (perform) => perform()): Blocked {
  const arrival = Promise.withResolvers<void>();
  const leave = Promise.withResolvers<void>();
  return {
    behaviour: async (perform) => {
      arrival.resolve();
      await leave.promise;
      return then(perform);
    },
    arrived: arrival.promise,
    release: leave.resolve,
  };
}
