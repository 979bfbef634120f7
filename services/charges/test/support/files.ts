import { api, type FileView } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { evidenceForm } from '@plataforma/testing';
import type { Client } from './client.ts';
import { disputeOf } from './dispute.ts';
import { merchantHeader, newTenant } from './identity.ts';
import type { RefundWorld } from './refund-world.ts';

/** Opens a dispute, and returns the calls with which its merchant manages evidence files. */
export async function disputedFiles(
  world: RefundWorld,
  changes: Record<string, unknown> = {},
  tenant = newTenant(),
) {
  const charge = await world.paidCharge({}, { tenant });
  const { id } = disputeOf(await world.dispute(charge.id, changes));
  return filesOf(world, { id, tenant });
}

export function filesOf(world: RefundWorld, { id, tenant }: { id: string; tenant: Tenant }) {
  const headers = merchantHeader(tenant);

  async function add(
    file: Parameters<typeof evidenceForm>[1] = {},
    { key, at = world.client }: { key?: string; at?: Client } = {},
  ) {
    return at.send('/v1/files', {
      method: 'POST',
      headers: { ...headers, ...(key ? { 'idempotency-key': key } : {}) },
      body: evidenceForm(id, file),
    });
  }

  return {
    ...{ id, tenant, add },
    chargeId: async () =>
      api.getDispute.data.parse((await world.call(tenant, `/v1/disputes/${id}`)).data).chargeId,
    /** Adds a file. Throws when the service refuses it. */
    async added(file: Parameters<typeof evidenceForm>[1] = {}): Promise<FileView> {
      return api.createFile.data.parse((await add(file)).data);
    },
    remove: (fileId: string, at = world.client) =>
      at.send(`/v1/files/${fileId}`, { method: 'DELETE', headers }),
    send: (at = world.client) =>
      at.send(`/v1/disputes/${id}/evidence`, {
        method: 'POST',
        headers,
        body: { description: 'Foi entregue.' },
      }),
    async listed(): Promise<FileView[]> {
      const { data } = await world.call(tenant, `/v1/disputes/${id}`);
      return api.getDispute.data.parse(data).files;
    },
    download: (fileId: string, url = world.first.url) =>
      fetch(`${url}/v1/files/${fileId}`, {
        headers: { ...headers, accept: 'application/octet-stream' },
      }),
  };
}
