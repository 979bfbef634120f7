import type { WithdrawalView } from '@plataforma/contracts';
import { withdrawalSources } from '@plataforma/contracts/value-words';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Status } from '../../components/badge/badge.tsx';
import { buttonClass } from '../../components/button/button.tsx';
import { Card, Columns, Stack } from '../../components/card/card.tsx';
import { type Detail, Details } from '../../components/details/details.tsx';
import { type Step, Timeline } from '../../components/timeline/timeline.tsx';
import { Money, Time } from '../../components/values/values.tsx';
import { call, environment } from '../../shared/api.ts';
import { documentText, money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { usePlatformText } from '../../shared/platform-text.ts';
import { ConfirmButton } from '../changes/confirm-change.tsx';
import { bankText } from '../destinations/banks.ts';
import { BackLink } from '../lists/links.tsx';
import { ObjectPage } from '../object-page.tsx';
import { ObjectRequests } from '../requests/object-requests.tsx';
import { withdrawalQuery } from '../withdrawals/queries.ts';
import { withdrawalWords } from '../withdrawals/words.ts';
import { PlayWithdrawal } from './play-withdrawal.tsx';
import { Waiting } from './waiting.tsx';

/** The API's reason text for a withdrawal that the merchant cancelled. */
const CANCELLED = 'cancelled by the merchant';

const route = getRouteApi('/frame/withdrawals/$id');

export function WithdrawalPage() {
  const words = useWords(withdrawalWords);
  return (
    <ObjectPage
      read={useQuery(withdrawalQuery(route.useParams().id))}
      name={words.withdrawal}
      back={<BackLink to="/withdrawals" text={words.withdrawals} />}
      head={(withdrawal) => ({
        title: money(withdrawal.amount),
        beside: <Status of="withdrawal" status={withdrawal.status} />,
        actions: <Actions withdrawal={withdrawal} />,
      })}
    >
      {(withdrawal) => <Shown withdrawal={withdrawal} />}
    </ObjectPage>
  );
}

function Actions({ withdrawal }: { withdrawal: WithdrawalView }) {
  const words = useWords(withdrawalWords);
  return (
    <>
      {withdrawal.status === 'COMPLETED' && (
        <Link to="/withdrawals/$id/receipt" params={{ id: withdrawal.id }} className={buttonClass()}>
          {words.receipt}
        </Link>
      )}
      {environment === 'sandbox' && <PlayWithdrawal withdrawal={withdrawal} />}
      <ConfirmButton
        isOffered={withdrawal.status === 'PENDING'}
        kind="danger"
        send={() => call('DELETE /v1/withdrawals/:id', { params: { id: withdrawal.id } })}
        changes={['withdrawal', 'balance', 'account']}
        done={words.cancelled}
        title={words.cancelTitle}
        action={words.cancelWithdrawal}
        dismissLabel={words.keep}
        isDangerous
      >
        <p>{words.cancelText}</p>
      </ConfirmButton>
    </>
  );
}

function Shown({ withdrawal }: { withdrawal: WithdrawalView }) {
  const words = useWords(withdrawalWords);
  const sources = useWords(withdrawalSources);
  const steps = useSteps(withdrawal);
  const account = useBankDetails(withdrawal);
  const { pixKey, pixKeyType, externalId, providerTxId, id } = withdrawal;
  return (
    <>
      {withdrawal.waitingFor && <Waiting waitingFor={withdrawal.waitingFor} />}
      <Columns>
        <Card title={words.timeline}>
          <Timeline steps={steps} />
        </Card>
        <Stack>
          <Card title={words.details}>
            <Details
              details={[
                { label: words.amount, value: <Money cents={withdrawal.amount} /> },
                { label: words.fee, value: <Money cents={withdrawal.fee} /> },
                { label: words.net, value: <Money cents={withdrawal.netAmount} /> },
                {
                  label: pixKeyType ? words.keyTypes[pixKeyType] : words.to,
                  value: pixKey ?? (withdrawal.bankAccount ? null : words.bankAccount),
                  copy: pixKey,
                },
                ...account,
                { label: words.source, value: sources[withdrawal.source] },
                { label: words.externalId, value: externalId, copy: externalId },
                { label: words.providerTxId, value: providerTxId, copy: providerTxId },
                { label: words.created, value: <Time at={withdrawal.createdAt} /> },
                { label: words.id, value: id, copy: id },
              ]}
            />
          </Card>
          <ObjectRequests id={id} />
        </Stack>
      </Columns>
    </>
  );
}

function useBankDetails({ bankAccount }: WithdrawalView): Detail[] {
  const words = useWords(withdrawalWords);
  if (bankAccount === null) return [];
  const { holderName, holderDocument, bankCode, branch, account, accountType } = bankAccount;
  return [
    { label: words.holder, value: holderName },
    { label: words.document, value: documentText(holderDocument) },
    { label: words.bank, value: bankText(bankCode) },
    { label: words.branch, value: branch },
    { label: words.account, value: `${account} (${words.accountTypes[accountType]})`, copy: account },
  ];
}

/** Returns the steps of the withdrawal, newest first. A future step comes before all others. */
function useSteps(withdrawal: WithdrawalView): Step[] {
  const words = useWords(withdrawalWords);
  const shown = usePlatformText();
  const { status, createdAt, completedAt, failedAt, failureReason, failureDetail } = withdrawal;
  const { rejectedAt, rejectedReason } = withdrawal;
  const ordered: Step = { key: 'ordered', title: words.steps.ordered, at: createdAt };
  if (status === 'COMPLETED')
    return [{ key: 'end', title: words.steps.completed, at: completedAt, tone: 'good' }, ordered];
  if (status === 'FAILED') {
    const reason = words.reasons[failureReason ?? 'other'];
    const detail = (
      <>
        {reason} {failureDetail && <q>{shown(failureDetail)}</q>}
      </>
    );
    return [{ key: 'end', title: words.steps.failed, at: failedAt, detail, tone: 'bad' }, ordered];
  }
  if (status === 'REJECTED') {
    const end: Step = { key: 'end', title: words.steps.rejected, at: rejectedAt, tone: 'bad' };
    const isOwn = rejectedReason === CANCELLED;
    return [{ ...end, detail: isOwn ? words.byMerchant : shown(rejectedReason) }, ordered];
  }
  const next = {
    PENDING: words.steps.approval,
    APPROVED: words.steps.queued,
    PROCESSING: words.steps.underWay,
  };
  return [{ key: 'toCome', title: words.steps.toCome }, { key: 'next', title: next[status] }, ordered];
}
