import type { PaymentLinkView } from '@plataforma/contracts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, buttonClass } from '../../parts/button/button.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { ChangeButton } from '../changes/change-button.tsx';
import { ConfirmChange } from '../changes/confirm-change.tsx';
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
  const send = () => call('PATCH /v1/payment-links/:id', { params: { id }, body: { isActive: true } });
  return (
    <ChangeButton kind="primary" send={send} changes={['paymentLink']} done={words.resumed}>
      {words.resume}
    </ChangeButton>
  );
}

function Pause({ id, onClose }: { id: string; onClose: () => void }) {
  const words = useWords(oneLinkWords);
  return (
    <ConfirmChange
      send={() => call('PATCH /v1/payment-links/:id', { params: { id }, body: { isActive: false } })}
      changes={['paymentLink']}
      done={words.paused}
      title={words.pauseTitle}
      action={words.pause}
      onClose={onClose}
    >
      <p>{words.pauseText}</p>
    </ConfirmChange>
  );
}
