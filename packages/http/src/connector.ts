import { setTimeout as sleep } from 'node:timers/promises';
import { buildConnector } from 'undici';
import { skipInterimAnswers } from './interim-answers.ts';

/** In all a fifth of a second, which a service that is away as a whole costs its callers. */
const TRIES = 5;
const PAUSE_MS = 50;

/**
 * Connects to one of a service's replicas. One that has died refuses until its balancer has noticed; nothing was sent
 * then, and the next try may come to another.
 */
export function connectorToReplicas(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return async (target, callback) => {
    for (let tries = 1; ; tries += 1) {
      const result = await attempt(connect, target);
      const [error] = result;
      if (tries === TRIES || !isRefusal(error)) return callback(...result);
      await sleep(PAUSE_MS);
    }
  };
}

/** Connects to a provider, whose server may send interim answers that no request asked for. */
export function connectorToProvider(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) =>
    connect(target, (...result) => {
      const [, socket] = result;
      if (socket && !isHttp2(socket)) skipInterimAnswers(socket);
      callback(...result);
    });
}

function isHttp2(socket: object): boolean {
  return 'alpnProtocol' in socket && socket.alpnProtocol === 'h2';
}

function attempt(
  connect: buildConnector.connector,
  target: buildConnector.Options,
): Promise<Parameters<buildConnector.Callback>> {
  return new Promise((resolve) => connect(target, (...result) => resolve(result)));
}

function isRefusal(error: Error | null): boolean {
  return error !== null && 'code' in error && error.code === 'ECONNREFUSED';
}
