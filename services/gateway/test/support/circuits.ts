import { type Sending, send } from './send.ts';
import { startWorld } from './world.ts';

/** A gateway before services that fail, and a merchant who calls it. */
export async function startCircuitWorld() {
  const world = await startWorld();
  const { key } = await world.newKey(await world.newMerchant());
  const headers = { 'x-api-key': key };

  return {
    ...world,
    headers,
    charges: world.services.charges,
    /** For one test: with circuits that no other one has opened. */
    async freshGateway() {
      const gateway = await world.startReplica();
      const call = (path: string, sending: Sending) => send(gateway.url + path, sending);
      const read = () => call('/v1/charges', { headers });
      return {
        url: gateway.url,
        call,
        read,
        write: () => call('/v1/charges', { method: 'POST', headers, body: { amount: 2500 } }),
        /** Enough failures for the circuit to open. */
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
