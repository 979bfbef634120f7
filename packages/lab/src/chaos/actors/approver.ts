import { type Client, type ClientRequest, isProposal } from './client.ts';

/**
 * Returns a client of an operator whose proposals another operator approves. The answer to a proposal has the
 * id of the object that the proposal creates or changes.
 */
export function approvedBy(approver: Client, client: Client): Client {
  return {
    ...client,
    async ask(request: ClientRequest) {
      const answer = await client.ask(request);
      if (!isProposal(answer)) return answer;
      const { id, subjectId } = answer.data;
      await decideProposal(approver, id, 'approve');
      return { ...answer, data: { ...answer.data, id: subjectId } };
    },
  };
}

export function decideProposal(operator: Client, id: unknown, step: 'approve' | 'reject') {
  return operator.ask({
    ...{ action: `${step}-proposal`, method: 'POST', path: `/v1/admin/proposals/${id}/${step}` },
    ...(step === 'reject' && { body: { reason: 'não combinado' } }),
    ...{ intent: `${step} ${id}`, again: 'as it is' },
  });
}
