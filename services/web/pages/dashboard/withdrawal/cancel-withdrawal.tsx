import type { WithdrawalView } from '@plataforma/contracts';
import { useState } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { ConfirmChange } from '../changes/confirm-change.tsx';
import { withdrawalWords } from '../withdrawals/words.ts';

export function CancelWithdrawal({ withdrawal: { id } }: { withdrawal: WithdrawalView }) {
  const words = useWords(withdrawalWords);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {words.cancel}
      </Button>
      {isOpen && (
        <ConfirmChange
          send={() => call('DELETE /v1/withdrawals/:id', { params: { id } })}
          changes={['withdrawal', 'balance', 'account']}
          done={words.cancelled}
          title={words.cancelTitle}
          action={words.cancel}
          keep={words.keep}
          isDangerous
          onClose={close}
        >
          <p>{words.cancelText}</p>
        </ConfirmChange>
      )}
    </>
  );
}
