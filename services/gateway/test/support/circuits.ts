import { type Sending, send } from './send.ts';
import { startWorld } from './world.ts';

/** Starts a gateway whose services can be made to fail, and creates an API key. */
export async function startCircuitWorld() {
  const world = await startWorld();
  const { key } = await world.newKey(await world.newMerchant());
  const headers = { 'x-api-key': key };

  return {
    ...world,
    headers,
    charges: world.services.charges,
    /** Starts a new replica, whose circuit breakers are closed, for one test. */
    async freshGateway() {
      const gateway = await world.startReplica();
      const call = (path: string, sending: Sending) => send(gateway.url + path, sending);
      const read = () => call('/v1/charges', { headers });
      return {
        url: gateway.url,
        call,
        read,
        write: () => call('/v1/charges', { method: 'POST', headers, body: { amount: 2500 } }),
        async open(asking = read): Promise<void> {
          for (let count = 0; count < 25; count += 1) await asking();
        },
        async stop() {
          await gateway.stop();
          await Promise.all(Object.values(world.services).map((service) => service.reset()));
        },
      };
    },
  };
}

type CircuitWorld = Awaited<ReturnType<typeof startCircuitWorld>>;
export type FreshGateway = Awaited<ReturnType<CircuitWorld['freshGateway']>>;
