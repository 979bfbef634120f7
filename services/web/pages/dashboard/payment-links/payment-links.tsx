import type { PaymentLinkInListView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../components/card/card.tsx';
import { CopyButton } from '../../components/copy/copy.tsx';
import { aboveLink, type Column } from '../../components/table/table.tsx';
import { Time } from '../../components/values/values.tsx';
import { count } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { statusWords } from '../../shared/statuses.ts';
import { useZone } from '../../shared/zone.ts';
import { useHasKey } from '../api-keys/has-key.ts';
import { firstLink } from '../developers/receiver.ts';
import { statusColumn } from '../lists/columns.tsx';
import { FilteredList } from '../lists/filtered-list.tsx';
import { CreateLink, RowLink } from '../lists/links.tsx';
import { linksQuery } from './queries.ts';
import { useAmountText, usePaymentsText } from './texts.ts';
import { linkWords } from './words.ts';

const route = getRouteApi('/frame/payment-links');

export function PaymentLinksPage() {
  const words = useWords(linkWords);
  const search = route.useSearch();
  const values = useWords(statusWords).paymentLink;
  const create = <CreateLink to="/payment-links/new" text={words.create} />;
  return (
    <Page title={words['payment-links']} actions={create}>
      <FilteredList
        read={useQuery(linksQuery(search, useZone()))}
        label={words['payment-links']}
        columns={useColumns()}
        choices={[{ name: 'status', label: words.status, all: words.all, values }]}
        words={words}
        action={create}
        guide="paymentLinks"
        code={useHasKey() ? firstLink() : undefined}
      />
    </Page>
  );
}

function useColumns(): Column<PaymentLinkInListView>[] {
  const words = useWords(linkWords);
  const language = useLanguage();
  const amountText = useAmountText();
  const paymentsText = usePaymentsText();
  return [
    {
      label: words.description,
      phone: 'first',
      isWide: true,
      cell: ({ id, description }) => (
        <RowLink to="/payment-links/$id" id={id}>
          {description}
        </RowLink>
      ),
    },
    statusColumn(words.status, 'paymentLink'),
    { label: words.amount, phone: 'second', cell: amountText },
    { label: words.visits, isEnd: true, cell: ({ visits }) => count(visits, language) },
    { label: words.starts, isEnd: true, cell: ({ starts }) => count(starts, language) },
    { label: words.payments, isEnd: true, phone: 'secondEnd', isNamed: true, cell: paymentsText },
    {
      label: words.created,
      isEnd: true,
      cell: ({ createdAt }) => <Time at={createdAt} isRelative />,
    },
    {
      label: words.link,
      isEnd: true,
      cell: ({ url, description }) =>
        url && (
          <span className={aboveLink}>
            <CopyButton text={url} label={words.copy(description)} />
          </span>
        ),
    },
  ];
}
