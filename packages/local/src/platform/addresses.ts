import { freePorts } from '../ports.ts';
import { recordOf } from '../record-of.ts';
import { listeners, type Ports } from './settings-of.ts';

export interface Addresses {
  /** The ports at which callers reach the listeners. */
  called: Ports;
  /** The ports on which each replica listens; with one replica, the same ports as `called`. */
  replicas: readonly Ports[];
  /** All chosen ports by name. They are stored, so that the next start chooses the same ports. */
  portsByName: Record<string, number>;
}

interface Wishes {
  /** The stored ports of the last start, by name. */
  portsByName: Record<string, number>;
  /** The port of the gateway; null if any free port will do. */
  gatewayPort: number | null;
  /** The port of `web`; null if any free port will do. The default is the port after the gateway's. */
  webPort?: number | null;
  replicas: number;
}

/**
 * These listeners have one replica: the sandbox provider plays a single external bank, and a second `web`
 * would add nothing.
 */
const single = ['sandbox-psp', 'sandbox-control', 'web'] as const;
const replicated = listeners.filter((name) => !single.some((one) => one === name));

/**
 * Chooses a free port for each listener, if possible the port of the last start. Throws if the gateway's port
 * is taken.
 */
export async function chooseAddresses({
  portsByName,
  gatewayPort,
  webPort = gatewayPort && gatewayPort + 1,
  replicas,
}: Wishes): Promise<Addresses> {
  const numbers = replicas > 1 ? Array.from({ length: replicas }, (_, index) => index + 1) : [];
  const names = [...listeners, ...numbers.flatMap((number) => replicated.map((name) => of(name, number)))];
  const wished: Record<string, number | null> = { gateway: gatewayPort, web: webPort };
  const wishes = names.map((name) => wished[name] || (portsByName[name] ?? null));
  const free = await freePorts(wishes, gatewayPort);
  const chosen = Object.fromEntries(names.map((name, index) => [name, free[index] ?? 0]));
  if (gatewayPort !== null && chosen.gateway !== gatewayPort) {
    throw new Error(`port ${gatewayPort} is taken: choose another with PORT=…`);
  }
  const called = recordOf(listeners, (name) => chosen[name] ?? 0);
  const own = numbers.map((number) => ({
    ...called,
    ...Object.fromEntries(replicated.map((name) => [name, chosen[of(name, number)] ?? 0])),
  }));
  return { called, replicas: own.length > 0 ? own : [called], portsByName: chosen };
}

function of(name: string, number: number): string {
  return `${name}-${number}`;
}
