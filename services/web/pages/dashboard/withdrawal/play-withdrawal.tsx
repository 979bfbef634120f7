import type { WithdrawalView } from '@plataforma/contracts';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { type Play, PlayMenu } from '../sandbox/play-menu.tsx';
import { sandboxWords } from '../sandbox/words.ts';

const CHANGES = ['withdrawal', 'balance', 'account'];
const steps = ['approve', 'reject', 'hold', 'complete', 'fail'] as const;
type Step = (typeof steps)[number];

export function PlayWithdrawal({ withdrawal }: { withdrawal: WithdrawalView }) {
  const { withdrawal: words, decided } = useWords(sandboxWords);
  const { id } = withdrawal;
  const plays = steps
    .filter((step) => isOpenTo(withdrawal, step))
    .map((step): Play => ({ ...words[step], send: () => send(id, step, decided) }));
  return <PlayMenu plays={plays} changes={CHANGES} />;
}

function send(id: string, step: Step, reason: string): Promise<unknown> {
  const params = { id };
  switch (step) {
    case 'approve':
      return call('POST /v1/sandbox/withdrawals/:id/approve', { params });
    case 'reject':
      return call('POST /v1/sandbox/withdrawals/:id/reject', { params, body: { reason } });
    case 'hold':
      return call('POST /v1/sandbox/withdrawals/:id/hold', { params });
    case 'complete':
      return call('POST /v1/sandbox/withdrawals/:id/complete', { params, body: {} });
    case 'fail':
      return call('POST /v1/sandbox/withdrawals/:id/fail', { params, body: { reason } });
  }
}

/**
 * Returns whether a sandbox action is possible in the withdrawal's status. A Pix can end at any time, but a
 * manual transfer only after its approval.
 */
function isOpenTo({ status, method, waitingFor }: WithdrawalView, step: Step): boolean {
  const isPending = status === 'PENDING';
  if (!isPending && status !== 'APPROVED' && status !== 'PROCESSING') return false;
  if (step === 'approve' || step === 'reject') return isPending;
  if (step === 'hold') return method === 'PIX' && waitingFor?.what !== 'approval';
  return method === 'PIX' || !isPending;
}
