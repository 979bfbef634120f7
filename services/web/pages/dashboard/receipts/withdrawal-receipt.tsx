import type { WithdrawalView } from '@plataforma/contracts';
import { maskedDocument } from '@plataforma/kernel/documents';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Detail } from '../../components/details/details.tsx';
import { documentText, money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { bankText } from '../destinations/banks.ts';
import { withdrawalQuery } from '../withdrawals/queries.ts';
import { ReceiptPage, useOwnDetails } from './receipt-page.tsx';
import { receiptWords } from './words.ts';

const route = getRouteApi('/frame/withdrawals/$id/receipt');

export function WithdrawalReceiptPage() {
  const words = useWords(receiptWords);
  const own = useOwnDetails();
  const { id } = route.useParams();
  const payee = usePayee();
  function contentOf(withdrawal: WithdrawalView) {
    if (withdrawal.status !== 'COMPLETED') return null;
    const { method, amount, fee, netAmount, providerTxId, externalId, completedAt } = withdrawal;
    const reference = method === 'PIX' ? words.endToEnd : words.bankReference;
    return {
      title: words.ofWithdrawal[method],
      amount: money(netAmount),
      at: completedAt,
      groups: [
        {
          title: words.values,
          details: [
            { label: words.ordered, value: money(amount) },
            { label: words.fee, value: money(fee) },
            { label: words.sent, value: money(netAmount) },
          ],
        },
        { title: words.sender, details: own },
        { title: words.to, details: payee(withdrawal) },
        {
          title: words.identification,
          details: [
            { label: reference, value: providerTxId },
            { label: words.externalId, value: externalId },
            { label: words.id, value: id },
          ],
        },
      ],
    };
  }
  return (
    <ReceiptPage
      read={useQuery(withdrawalQuery(id))}
      to="/withdrawals/$id"
      id={id}
      back={words.withdrawal}
      contentOf={contentOf}
    />
  );
}

/** Returns the rows about the payee. A CPF has hidden digits, because a receipt is passed on. */
function usePayee(): (withdrawal: WithdrawalView) => Detail[] {
  const words = useWords(receiptWords);
  return ({ payeeName, payeeDocument, pixKey, pixKeyType, bankAccount }) => {
    if (bankAccount) {
      const { holderName, holderDocument, bankCode, branch, account, accountType } = bankAccount;
      return [
        { label: words.holder, value: holderName },
        { label: words.document, value: partlyHidden(holderDocument) },
        { label: words.bank, value: bankText(bankCode) },
        { label: words.branch, value: branch },
        { label: words.account, value: `${account} (${words.accountTypes[accountType]})` },
      ];
    }
    const isDocument = pixKeyType === 'CPF' || pixKeyType === 'CNPJ';
    const shown = isDocument && pixKey ? partlyHidden(pixKey) : pixKey;
    return [
      { label: words.holder, value: payeeName },
      ...(isDocument ? [] : [{ label: words.document, value: payeeDocument && partlyHidden(payeeDocument) }]),
      { label: pixKeyType ? words.keyTypes[pixKeyType] : words.to, value: shown },
    ];
  };
}

function partlyHidden(document: string): string {
  if (document.includes('*')) return document;
  return document.length === 11 ? maskedDocument(document) : documentText(document);
}
