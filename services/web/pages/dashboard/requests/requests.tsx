import type { LoggedRequestView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../../components/card/card.tsx';
import type { Column } from '../../components/table/table.tsx';
import { Time } from '../../components/values/values.tsx';
import { count } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { useZone } from '../../shared/zone.ts';
import { DeveloperTabs } from '../developers/tabs.tsx';
import { FilteredList } from '../lists/filtered-list.tsx';
import { requestMethods } from '../searches.ts';
import { requestsQuery } from './queries.ts';
import { RequestDialog } from './request-dialog.tsx';
import { Answer, Sent, ShowButton } from './request-values.tsx';
import styles from './requests.module.css';
import { requestWords } from './words.ts';

const route = getRouteApi('/frame/developers/requests');

export function RequestsPage() {
  const words = useWords(requestWords);
  const search = route.useSearch();
  const [shown, show] = useState<LoggedRequestView>();
  return (
    <Page title={words.developers}>
      <DeveloperTabs />
      <FilteredList
        read={useQuery(requestsQuery(search, useZone()))}
        label={words.requests}
        columns={useColumns(show)}
        choices={[
          { name: 'status', label: words.answer, all: words.allStatuses, values: words.statuses },
          { name: 'method', label: words.httpMethod, all: words.allHttpMethods, values: requestMethods },
          { name: 'source', label: words.source, all: words.apiKey, values: words.sources },
        ]}
        words={words}
        guide="requests"
      />
      {shown && <RequestDialog request={shown} onClose={() => show(undefined)} />}
    </Page>
  );
}

function useColumns(onShow: (request: LoggedRequestView) => void): Column<LoggedRequestView>[] {
  const words = useWords(requestWords);
  const language = useLanguage();
  return [
    { label: words.request, isWide: true, phone: 'first', cell: (each) => <Sent request={each} isShort /> },
    { label: words.answer, phone: 'firstEnd', cell: (each) => <Answer request={each} /> },
    {
      label: words.code,
      phone: 'note',
      cell: ({ errorCode }) => errorCode && <code className={styles.code}>{errorCode}</code>,
    },
    {
      label: words.duration,
      isEnd: true,
      cell: ({ durationMs }) => words.took(count(durationMs, language)),
    },
    { label: words.at, phone: 'second', cell: ({ createdAt }) => <Time at={createdAt} isRelative /> },
    {
      label: words.details,
      isEnd: true,
      phone: 'secondEnd',
      cell: (each) => <ShowButton request={each} onShow={() => onShow(each)} />,
    },
  ];
}
