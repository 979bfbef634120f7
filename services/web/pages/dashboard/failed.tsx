import { Button } from '../components/button/button.tsx';
import states from '../components/states/states.module.css';
import { RequestId } from '../components/states/states.tsx';
import { SupportText } from '../components/support-text/support-text.tsx';
import { ApiError } from '../shared/api.ts';
import { failureWords } from '../shared/error-words.ts';
import { catalogue, useWords } from '../shared/language.ts';
import { useErrorText } from '../shared/refusals.ts';
import { statusWords } from '../shared/statuses.ts';
import { useAccount } from './session/session.ts';

const failedWords = catalogue({
  statusNeeded: [
    'Situação necessária: {needed}. A da sua conta: {held}.',
    'Required status: {needed}. Your account status: {held}.',
  ],
});

/**
 * Shows the error of a failed read. If the account's status forbids the read, also shows that status and the
 * status that the read needs.
 */
export function Failed({ error, retry }: { error: unknown; retry?: () => unknown }) {
  const errorText = useErrorText();
  const words = useWords(failureWords);
  const { statusNeeded } = useWords(failedWords);
  const { account: statuses } = useWords(statusWords);
  const status = useAccount()?.status;
  const { code, status: httpStatus } = error instanceof ApiError ? error : { code: '', status: 0 };
  const title = { 403: words.forbidden, 404: words.missing }[httpStatus];
  return (
    <div className={states.empty} role="alert">
      <h2 className={states.title}>{title ?? words.title}</h2>
      <p className={states.text}>
        <SupportText text={errorText(error)} />
      </p>
      {code.startsWith('MERCHANT_') && status && status !== 'APPROVED' && (
        <p className={states.text}>{statusNeeded(statuses.APPROVED, statuses[status])}</p>
      )}
      {retry && !title && <Button onClick={() => void retry()}>{words.again}</Button>}
      <RequestId error={error} />
    </div>
  );
}
