import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Card, Page } from '../../parts/card/card.tsx';
import { useWords } from '../../shared/language.ts';
import { AmountStep } from './amount-step.tsx';
import { ConfirmStep } from './confirm-step.tsx';
import type { Payee } from './draft.ts';
import styles from './new-withdrawal.module.css';
import { PayeeStep } from './payee-step.tsx';
import { newWithdrawalWords } from './words.ts';

/** Three steps on one page: whoever goes back finds what was entered. */
export function NewWithdrawalPage() {
  const words = useWords(newWithdrawalWords);
  const [step, setStep] = useState<1 | 2 | 3>(1);
  const [payee, setPayee] = useState<Payee>();
  const [cents, setCents] = useState(0);
  const titles = [words.to.title, words.amount.title, words.confirm.title];
  const back = (
    <Link to="/withdrawals" search={{}}>
      ← {words.list}
    </Link>
  );

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
    <Page title={words.title} back={back}>
      <div className={styles.narrow}>
        <Card title={titles[step - 1] ?? ''} action={<span className={styles.step}>{words.step(step)}</span>}>
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
