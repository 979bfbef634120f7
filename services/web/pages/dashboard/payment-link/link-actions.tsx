import type { PaymentLinkView } from '@plataforma/contracts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, buttonClass } from '../../parts/button/button.tsx';
import { Confirm } from '../../parts/dialog/dialog.tsx';
import { toast } from '../../parts/toast/toast.tsx';
import { call } from '../../shared/api.ts';
import { useChange } from '../../shared/keyed.ts';
import { useWords } from '../../shared/language.ts';
import { useErrorText } from '../../shared/refusals.ts';
import { oneLinkWords } from './words.ts';

export function LinkActions({ link: { id, isActive, status } }: { link: PaymentLinkView }) {
  const words = useWords(oneLinkWords);
  const [isPausing, setPausing] = useState(false);
  return (
    <>
      {isActive && status === 'ACTIVE' && <Button onClick={() => setPausing(true)}>{words.pause}</Button>}
      {!isActive && <Resume id={id} />}
      <Link to="/payment-links/$id/edit" params={{ id }} className={buttonClass()}>
        {words.edit}
      </Link>
      {isPausing && <Pause id={id} onClose={() => setPausing(false)} />}
    </>
  );
}

function Resume({ id }: { id: string }) {
  const words = useWords(oneLinkWords);
  const errorText = useErrorText();
  const { mutate, isPending } = useChange({
    send: () => call('PATCH /v1/payment-links/:id', { params: { id }, body: { isActive: true } }),
    changes: ['paymentLink'],
    onDone: () => toast(words.resumed),
  });
  return (
    <Button
      kind="primary"
      busy={isPending}
      onClick={() => mutate(undefined, { onError: (error) => toast(errorText(error)) })}
    >
      {words.resume}
    </Button>
  );
}

function Pause({ id, onClose }: { id: string; onClose: () => void }) {
  const words = useWords(oneLinkWords);
  const { mutate, error, isPending } = useChange({
    send: () => call('PATCH /v1/payment-links/:id', { params: { id }, body: { isActive: false } }),
    changes: ['paymentLink'],
    onDone: () => {
      toast(words.paused);
      onClose();
    },
  });
  return (
    <Confirm
      title={words.pauseTitle}
      action={words.pause}
      busy={isPending}
      error={error}
      onConfirm={() => mutate(undefined)}
      onClose={onClose}
    >
      <p>{words.pauseText}</p>
    </Confirm>
  );
}
