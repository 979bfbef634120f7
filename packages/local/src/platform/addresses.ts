import { freePorts } from '../ports.ts';
import { recordOf } from '../record-of.ts';
import { listeners, type Ports } from './settings-of.ts';

export interface Addresses {
  /** Where each is called. */
  called: Ports;
  /** Where it listens, for each replica: with one of each, where it is called. */
  replicas: readonly Ports[];
  /** All of them by name, to be wished again. */
  portsByName: Record<string, number>;
}

interface Wishes {
  /** The ports of the start before. */
  portsByName: Record<string, number>;
  /** Where the gateway is to be called; null for anywhere. */
  gatewayPort: number | null;
  /** Where `web` is to be called; beside the gateway when left out. */
  webPort?: number | null;
  replicas: number;
}

/** It stands for a bank outside, of which there is one; `web` keeps nothing that a second one could lack. */
const single = ['sandbox-psp', 'sandbox-control', 'web'] as const;
const replicated = listeners.filter((name) => !single.some((one) => one === name));

/** Free ports for everything that listens, the ones of the start before where they are free. */
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
