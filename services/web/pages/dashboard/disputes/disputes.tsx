import type { DisputeInListView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Page } from '../../parts/card/card.tsx';
import { type Column, rowLink } from '../../parts/table/table.tsx';
import { Money } from '../../parts/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { statusWords } from '../../shared/statuses.ts';
import { ExportLink } from '../export/export-link.tsx';
import { GuideLink } from '../guide/guide-link.tsx';
import { statusColumn, timeColumn } from '../lists/columns.tsx';
import { FilteredList } from '../lists/filtered-list.tsx';
import { choiceOf } from '../lists/list-filters.tsx';
import { Deadline } from './deadline.tsx';
import { disputesQuery } from './queries.ts';
import { useReasonText } from './reasons.ts';
import { disputeStatuses } from './search.ts';
import { disputesWords } from './words.ts';

const route = getRouteApi('/frame/disputes');

export function DisputesPage() {
  const words = useWords(disputesWords);
  const statuses = useWords(statusWords).dispute;
  const search = route.useSearch();
  const columns = useColumns();
  const read = useQuery({
    ...disputesQuery(search),
    select: ({ data, meta }) => ({ data: byDeadline(data), meta }),
  });
  const status = { name: 'status', label: words.status, all: words.all };
  return (
    <Page
      title={words.disputes}
      actions={<ExportLink path="/v1/disputes" query={{ status: search.status }} name={words.disputes} />}
    >
      <FilteredList
        {...{ read, columns }}
        choices={[choiceOf(status, disputeStatuses, statuses)]}
        hasPeriod={false}
        label={words.disputes}
        lines={8}
        empty={{ title: words.emptyTitle, text: words.emptyText, more: <GuideLink to="disputes" /> }}
        none={words.noneTitle}
      />
    </Page>
  );
}

/** What is to be answered first comes first; what is decided keeps the order of the API. */
function byDeadline(rows: readonly DisputeInListView[]): DisputeInListView[] {
  const open = rows.filter(({ status }) => status === 'OPEN');
  const others = rows.filter(({ status }) => status !== 'OPEN');
  return [...open.sort((one, other) => one.deadline.localeCompare(other.deadline)), ...others];
}

function useColumns(): Column<DisputeInListView>[] {
  const words = useWords(disputesWords);
  const reason = useReasonText();
  return [
    {
      label: words.amount,
      phone: 'first',
      cell: ({ id, amount }) => (
        <Link to="/disputes/$id" params={{ id }} className={rowLink}>
          <Money cents={amount} />
        </Link>
      ),
    },
    statusColumn(words.status, 'dispute'),
    {
      label: words.deadline,
      phone: 'second',
      cell: ({ deadline, status }) => <Deadline deadline={deadline} status={status} />,
    },
    { label: words.reason, isWide: true, cell: (dispute) => reason(dispute.reason) },
    timeColumn(words.created, 'createdAt'),
  ];
}
