import type { DisputeInListView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../components/card/card.tsx';
import type { Column } from '../../components/table/table.tsx';
import { useWords } from '../../shared/language.ts';
import { methodWords, statusWords } from '../../shared/statuses.ts';
import { ExportLink } from '../export/export-link.tsx';
import { amountColumn, statusColumn, timeColumn } from '../lists/columns.tsx';
import { FilteredList } from '../lists/filtered-list.tsx';
import { Deadline } from './deadline.tsx';
import { disputesQuery } from './queries.ts';
import { useReasonText } from './reasons.ts';
import { disputesWords } from './words.ts';

const route = getRouteApi('/frame/disputes');

export function DisputesPage() {
  const words = useWords(disputesWords);
  const search = route.useSearch();
  const read = useQuery({
    ...disputesQuery(search),
    select: ({ data, meta }) => ({ data: byDeadline(data), meta }),
  });
  const values = useWords(statusWords).dispute;
  return (
    <Page
      title={words.disputes}
      actions={
        <ExportLink
          path="/v1/disputes"
          query={{ status: search.status, search: search.search }}
          name={words.disputes}
        />
      }
    >
      <FilteredList
        read={read}
        label={words.disputes}
        columns={useColumns()}
        choices={[{ name: 'status', label: words.status, all: words.all, values }]}
        hasPeriod={false}
        lines={8}
        words={words}
        guide="disputes"
      />
    </Page>
  );
}

/** Sorts open disputes to the front, by their deadlines. All other disputes keep the order of the API. */
function byDeadline(rows: readonly DisputeInListView[]): DisputeInListView[] {
  const open = rows.filter(({ status }) => status === 'OPEN');
  const others = rows.filter(({ status }) => status !== 'OPEN');
  return [...open.sort((one, other) => one.deadline.localeCompare(other.deadline)), ...others];
}

function useColumns(): Column<DisputeInListView>[] {
  const words = useWords(disputesWords);
  const reason = useReasonText();
  const methods = useWords(methodWords);
  return [
    amountColumn({
      label: words.amount,
      to: '/disputes/$id',
      namesOf: ({ payerName, externalId }) => [payerName, externalId],
    }),
    statusColumn(words.status, 'dispute'),
    {
      label: words.deadline,
      phone: 'second',
      cell: ({ deadline, status }) => <Deadline deadline={deadline} status={status} />,
    },
    { label: words.order, isWide: true, cell: ({ externalId }) => externalId },
    { label: words.payer, phone: 'note', isWide: true, cell: ({ payerName }) => payerName },
    { label: words.method, cell: ({ paymentMethod }) => methods[paymentMethod] },
    { label: words.reason, isWide: true, cell: (dispute) => reason(dispute.reason) },
    timeColumn(words.created, 'createdAt'),
  ];
}
