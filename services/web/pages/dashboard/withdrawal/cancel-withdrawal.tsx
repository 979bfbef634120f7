import type { WithdrawalView } from '@plataforma/contracts';
import { useState } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { Confirm } from '../../parts/dialog/dialog.tsx';
import { toast } from '../../parts/toast/toast.tsx';
import { call } from '../../shared/api.ts';
import { useChange } from '../../shared/keyed.ts';
import { useWords } from '../../shared/language.ts';
import { withdrawalWords } from '../withdrawals/words.ts';

export function CancelWithdrawal({ withdrawal: { id } }: { withdrawal: WithdrawalView }) {
  const words = useWords(withdrawalWords);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const { mutate, error, isPending } = useChange({
    send: () => call('DELETE /v1/withdrawals/:id', { params: { id } }),
    changes: ['withdrawal', 'balance', 'account'],
    onDone: () => {
      toast(words.cancelled);
      close();
    },
  });
  return (
    <>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {words.cancel}
      </Button>
      {isOpen && (
        <Confirm
          title={words.cancelTitle}
          action={words.cancel}
          keep={words.keep}
          isDangerous
          busy={isPending}
          error={error}
          onConfirm={() => mutate(undefined)}
          onClose={close}
        >
          <p>{words.cancelText}</p>
        </Confirm>
      )}
    </>
  );
}
