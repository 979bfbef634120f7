import { useState } from 'react';
import { Card, Page } from '../../components/card/card.tsx';
import layout from '../../components/layout.module.css';
import { useWords } from '../../shared/language.ts';
import { findPending } from '../../shared/pending-changes.ts';
import { BackLink } from '../lists/links.tsx';
import { useAccount } from '../session/session.ts';
import { AmountStep } from './amount-step.tsx';
import { ConfirmStep } from './confirm-step.tsx';
import { FORM, orderIn, type Payee } from './draft.ts';
import { PayeeStep } from './payee-step.tsx';
import { newWithdrawalWords } from './words.ts';

/** The form for a withdrawal, as three steps on one page. A return to an earlier step keeps the input. */
export function NewWithdrawalPage() {
  const words = useWords(newWithdrawalWords);
  const account = useAccount()?.id;
  // If a reload interrupted the sending of an order, the page opens at the last step and sends that order
  // again.
  const [pending] = useState(() => orderIn(findPending(FORM, account)?.input));
  const [step, setStep] = useState<1 | 2 | 3>(pending ? 3 : 1);
  const [payee, setPayee] = useState(pending?.payee);
  const [cents, setCents] = useState(pending?.cents ?? 0);
  const titles = [words.whom.title, words.howMuch.title, words.confirm.title];
  const back = <BackLink to="/withdrawals" text={words.withdrawals} />;

  function choose(chosen: Payee): void {
    setPayee(chosen);
    setCents(chosen.cents || cents);
    setStep(2);
  }

  function enter(entered: number): void {
    setCents(entered);
    setStep(3);
  }

  return (
    <Page title={words.newWithdrawal} back={back}>
      <div className={layout.narrow}>
        <Card title={titles[step - 1] ?? ''} action={<span className={layout.soft}>{words.step(step)}</span>}>
          {step === 1 && <PayeeStep onDone={choose} />}
          {step === 2 && payee && (
            <AmountStep payee={payee} cents={cents} onBack={() => setStep(1)} onDone={enter} />
          )}
          {step === 3 && payee && <ConfirmStep payee={payee} cents={cents} onBack={() => setStep(2)} />}
        </Card>
      </div>
    </Page>
  );
}
