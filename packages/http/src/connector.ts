import { setTimeout as sleep } from 'node:timers/promises';
import { buildConnector } from 'undici';
import { skipInterimAnswers } from './interim-answers.ts';

/**
 * The maximum number of attempts to connect, with a pause of 50 ms after each failure but the last. Callers
 * of a service without any replica get the error after a fifth of a second.
 */
const TRIES = 5;
const PAUSE_MS = 50;

/**
 * Connects to a replica of a service, and retries a refused connection. A dead replica refuses connections
 * until the balancer notices. A retry is safe because nothing was sent, and may reach another replica.
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

/** Connects to a provider, and skips interim answers that the provider sends without being asked. */
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
