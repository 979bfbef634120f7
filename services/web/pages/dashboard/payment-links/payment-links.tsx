import type { PaymentLinkInListView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Page } from '../../parts/card/card.tsx';
import { CopyButton } from '../../parts/copy/copy.tsx';
import { aboveLink, type Column, rowLink } from '../../parts/table/table.tsx';
import { Time } from '../../parts/values/values.tsx';
import { count } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { statusWords } from '../../shared/statuses.ts';
import { useZone } from '../../shared/zone.ts';
import { firstLink } from '../developers/receiver.ts';
import { GuideLink } from '../guide/guide-link.tsx';
import { statusColumn } from '../lists/columns.tsx';
import { FilteredList } from '../lists/filtered-list.tsx';
import { CreateLink } from '../lists/links.tsx';
import { choiceOf } from '../lists/list-filters.tsx';
import { linksQuery } from './queries.ts';
import { linkStatuses } from './search.ts';
import { useAmountText, usePaymentsText } from './texts.ts';
import { linkWords } from './words.ts';

const route = getRouteApi('/frame/payment-links');

export function PaymentLinksPage() {
  const words = useWords(linkWords);
  const statuses = useWords(statusWords).paymentLink;
  const search = route.useSearch();
  const columns = useColumns();
  const read = useQuery(linksQuery(search, useZone()));
  const status = { name: 'status', label: words.status, all: words.all };
  const create = <CreateLink to="/payment-links/new" text={words.create} />;
  return (
    <Page title={words['payment-links']} actions={create}>
      <FilteredList
        {...{ read, columns }}
        choices={[choiceOf(status, linkStatuses, statuses)]}
        label={words['payment-links']}
        empty={{
          title: words.emptyTitle,
          text: words.emptyText,
          action: create,
          more: <GuideLink to="paymentLinks" />,
          code: firstLink(),
        }}
        none={words.noneTitle}
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
        <Link to="/payment-links/$id" params={{ id }} className={rowLink}>
          {description}
        </Link>
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
