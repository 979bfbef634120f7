import { BANK_TIME_ZONE } from '@plataforma/kernel/time-zones';
import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { Button } from '../../components/button/button.tsx';
import type { Detail } from '../../components/details/details.tsx';
import { Receipt } from '../../components/receipt/receipt.tsx';
import { Notice } from '../../components/states/states.tsx';
import { environment } from '../../shared/api.ts';
import { documentText } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { ObjectPage } from '../object-page.tsx';
import { useAccount } from '../session/session.ts';
import { receiptWords } from './words.ts';

type Content = Pick<ComponentProps<typeof Receipt>, 'title' | 'amount' | 'groups'> & { at: string | null };

interface Props<Data> {
  read: ComponentProps<typeof ObjectPage<Data>>['read'];
  to: '/withdrawals/$id' | '/charges/$id';
  id: string;
  back: string;
  /** Returns null if no money has moved, so that no receipt exists. */
  contentOf: (data: Data) => Content | null;
}

/** The page of a receipt, whose times are in the time of São Paulo for every account. */
export function ReceiptPage<Data>({ read, to, id, back, contentOf }: Props<Data>) {
  const words = useWords(receiptWords);
  const time = useBankTime();
  const print = <Button onClick={() => window.print()}>{words.print}</Button>;
  return (
    <ObjectPage
      read={read}
      name={words.receipt}
      back={
        <Link to={to} params={{ id }}>
          ← {back}
        </Link>
      }
      head={(data) => ({ title: words.receipt, actions: contentOf(data) && print })}
    >
      {(data) => {
        const content = contentOf(data);
        if (!content) return <Notice>{words.none}</Notice>;
        const note = environment === 'sandbox' ? words.ofSandbox : undefined;
        return <Receipt {...content} at={content.at ? time(content.at) : ''} note={note} />;
      }}
    </ObjectPage>
  );
}

function useBankTime(): (iso: string) => string {
  const words = useWords(receiptWords);
  const format = new Intl.DateTimeFormat(useLanguage(), {
    ...{ timeZone: BANK_TIME_ZONE, dateStyle: 'long', timeStyle: 'medium' },
  });
  return (iso) => words.timeOfBrasilia(format.format(new Date(iso)));
}

/** Returns the rows about the account, which is always a company. */
export function useOwnDetails(): Detail[] {
  const words = useWords(receiptWords);
  const account = useAccount();
  return [
    { label: words.holder, value: account?.companyName },
    { label: words.cnpj, value: account && documentText(account.cnpj) },
  ];
}
