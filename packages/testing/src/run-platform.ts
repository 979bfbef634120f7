import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  ensureMerchant,
  operatorToken,
  type Platform,
  type PlatformFacts,
  type ServiceName,
} from '@plataforma/local';
import { newCnpj } from './fixtures/cnpj.ts';
import { fromSetup } from './test-database.ts';

export interface SharedPlatform {
  facts: PlatformFacts;
  databaseUrls: Record<ServiceName, string>;
  /** The keys with which the services seal rows. */
  rowKeys: Platform['rowKeys'];
}

/**
 * Starts an HTTP server that sends the facts of the shared platform to the worker processes. The server runs
 * in jest's own process, and starts the platform at the first request.
 */
export async function offerPlatform(
  start: () => Promise<Platform>,
): Promise<{ url: string; stop(): Promise<void> }> {
  let started: Promise<Platform> | undefined;
  const server = createServer(async (_req, res) => {
    try {
      started ??= start();
      const { facts, databaseUrls, rowKeys } = await started;
      const operator = await newOperator(facts);
      const shared: SharedPlatform = { facts: { ...facts, operator }, databaseUrls, rowKeys };
      res.end(JSON.stringify(shared));
    } catch (error) {
      res.writeHead(500).end(error instanceof Error ? error.stack : String(error));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.close();
      const platform = await started?.catch(() => undefined);
      await platform?.stop();
    },
  };
}

/**
 * Creates an ADMIN for one test file. Each code of a second factor works once, so the files would wait for
 * each other if they shared an operator.
 */
async function newOperator({ baseUrl, operator }: PlatformFacts): Promise<PlatformFacts['operator']> {
  const login = { email: `${crypto.randomUUID()}@plataforma.test`, password: `senha-${randomInt(1e12)}` };
  const response = await fetch(`${baseUrl}/v1/admin/operators`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await operatorToken(baseUrl, operator)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ ...login, role: 'ADMIN' }),
  });
  if (!response.ok) throw new Error(`no operator was created: ${await response.text()}`);
  return { ...login, totpSecret: null };
}

/**
 * Returns the platform that all test files share, with a new approved merchant as its `demo`, and an operator
 * that only the calling file uses. A test that stops services, changes the sandbox provider or reads rows of
 * all merchants needs a platform of its own (`claimSite`).
 */
export async function joinPlatform(): Promise<SharedPlatform> {
  const response = await fetch(fromSetup('TEST_PLATFORM_URL'));
  if (!response.ok) throw new Error(`the platform of this run did not start: ${await response.text()}`);
  const { facts, databaseUrls, rowKeys } = (await response.json()) as SharedPlatform;
  const account = { email: `loja-${crypto.randomUUID()}@example.com`, password: `senha-${randomInt(1e12)}` };
  const merchant = { operator: facts.operator, ...account, cnpj: newCnpj() };
  const keys = await ensureMerchant(facts.baseUrl, merchant);
  return { facts: { ...facts, demo: { ...account, ...keys } }, databaseUrls, rowKeys };
}
