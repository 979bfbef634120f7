import { expect } from '@jest/globals';
import { api, type OperatorRole, type ProposalView, proposalPart } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { envelope } from '@plataforma/testing/world';
import { operatorHeader } from './identity.ts';
import type { World } from './world.ts';

export interface Person {
  id: string;
  role: OperatorRole;
  createdAt: string;
  createdBy: string | null;
}

interface Sent {
  body?: object;
  key?: string | undefined;
}

/** Returns an operator who was created `days` days ago. */
export function hired(role: OperatorRole, days: number, createdBy: string | null = null): Person {
  const createdAt = new Date(Date.now() - days * 86_400_000).toISOString();
  return { id: newId(), role, createdAt, createdBy };
}

/** Returns the status and the error code of an answer. */
export function outcome({ status, code = '' }: { status: number; code?: string | undefined }): string {
  return `${status} ${code}`.trim();
}

/** Returns the proposal in an answer. Expects the status 202. */
export function proposed(answer: { status: number; data: unknown }): ProposalView {
  expect(answer.status).toBe(202);
  return api.approveProposal.data.parse(answer.data);
}

/** Returns functions that call the admin routes of this test environment as operators. */
export function callsIn(world: World) {
  async function post({ id: operatorId, role }: Person, path: string, { body = {}, key }: Sent = {}) {
    const answer = await fetch(`${world.first.url}/v1/admin/${path}`, {
      method: 'POST',
      headers: {
        ...operatorHeader({ operatorId, role }),
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
    });
    const { data, error } = envelope.parse(await answer.json());
    const { status, headers } = answer;
    return { status, data, code: error?.code, message: error?.message, headers };
  }
  return {
    employ: (isSingle: boolean, ...people: Person[]) =>
      world.gateway.employ(...people.map((person) => ({ ...person, isSingle }))),
    adjust: (person: Person, body: object, key?: string) =>
      post(person, 'ledger/adjustments', { body: { description: 'a kindness', ...body }, key }),
    unblock: (person: Person, body: object) =>
      post(person, 'ledger/unblocks', { body: { reason: 'revised', ...body } }),
    block: (person: Person, body: object) =>
      post(person, 'ledger/blocks', { body: { reason: 'court order', ...body } }),
    approve: (person: Person, id: string, key?: string) => post(person, `proposals/${id}/approve`, { key }),
    reject: (person: Person, id: string) =>
      post(person, `proposals/${id}/reject`, { body: { reason: 'wrong' } }),
    listed: async (query: string) =>
      proposalPart.parse((await world.askAs('gateway', `/internal/proposals?newest=50&${query}`)).data),
  };
}
