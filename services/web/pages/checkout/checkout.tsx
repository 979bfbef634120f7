/** @jsxImportSource preact */
import { Frame } from './frame.tsx';
import { Outcome } from './outcome.tsx';
import { Pix } from './pix.tsx';
import { isFinal, type State, stepOf } from './state.ts';
import { UnmatchedPayments } from './unmatched-payments.tsx';

interface Props extends State {
  /** The current time of the server's clock, in milliseconds since 1970. */
  now: number;
}

export function Checkout({ charge, language, installation, now }: Props) {
  const step = stepOf(charge, now);
  return (
    <Frame shop={charge} language={language} installation={installation}>
      <UnmatchedPayments payments={charge.unexpectedPayments} language={language} />
      {isFinal(step) ? (
        <Outcome charge={charge} language={language} step={step} />
      ) : (
        <Pix charge={charge} language={language} now={now} isLate={step === 'late'} />
      )}
    </Frame>
  );
}
