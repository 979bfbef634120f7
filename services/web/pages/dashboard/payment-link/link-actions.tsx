import type { PaymentLinkView } from '@plataforma/contracts';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/button/button.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { ChangeButton } from '../changes/change-button.tsx';
import { ConfirmButton } from '../changes/confirm-change.tsx';
import { oneLinkWords } from './words.ts';

const CHANGES = ['paymentLink'];

export function LinkActions({ link: { id, isActive, status } }: { link: PaymentLinkView }) {
  const words = useWords(oneLinkWords);
  const setActive = (body: { isActive: boolean }) =>
    call('PATCH /v1/payment-links/:id', { params: { id }, body });
  const pause = { changes: CHANGES, done: words.paused, title: words.pauseTitle, action: words.pause };
  return (
    <>
      <ConfirmButton
        {...pause}
        isOffered={isActive && status === 'ACTIVE'}
        send={() => setActive({ isActive: false })}
      >
        <p>{words.pauseText}</p>
      </ConfirmButton>
      {!isActive && (
        <ChangeButton
          kind="primary"
          send={() => setActive({ isActive: true })}
          changes={CHANGES}
          done={words.resumed}
        >
          {words.resume}
        </ChangeButton>
      )}
      <Link to="/payment-links/$id/edit" params={{ id }} className={buttonClass()}>
        {words.edit}
      </Link>
    </>
  );
}
