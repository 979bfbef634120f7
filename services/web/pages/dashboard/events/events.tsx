import type { EventView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { Page } from '../../parts/card/card.tsx';
import type { Column } from '../../parts/table/table.tsx';
import { Time } from '../../parts/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { useZone } from '../../shared/zone.ts';
import { DeveloperTabs } from '../developers/tabs.tsx';
import { developerWords } from '../developers/words.ts';
import { GuideLink } from '../guide/guide-link.tsx';
import { FilteredList } from '../lists/filtered-list.tsx';
import { EventDialog } from './event-dialog.tsx';
import { eventsQuery } from './queries.ts';
import { eventsSearch, eventTypes } from './search.ts';
import { eventWords } from './words.ts';

const route = getRouteApi('/frame/developers/events');

export function EventsPage() {
  const { title } = useWords(developerWords);
  const words = useWords(eventWords);
  const search = route.useSearch();
  const navigate = useNavigate();
  const [shown, show] = useState<EventView>();
  const columns = useColumns(show);
  const read = useQuery(eventsQuery(search, useZone()));
  const options = eventTypes.map((value) => ({ value, label: value }));
  return (
    <Page title={title}>
      <DeveloperTabs />
      <FilteredList
        {...{ search, read, columns }}
        choices={[{ name: 'event', label: words.event, all: words.all, options }]}
        go={(next) => void navigate({ to: '/developers/events', search: eventsSearch(next) })}
        label={words.list}
        link={(page, text, className) => (
          <Link to="/developers/events" search={{ ...search, page }} className={className}>
            {text}
          </Link>
        )}
        empty={{ title: words.emptyTitle, text: words.emptyText, more: <GuideLink to="feed" /> }}
        none={words.noneTitle}
      />
      {shown && <EventDialog event={shown} onClose={() => show(undefined)} />}
    </Page>
  );
}

function useColumns(onShow: (event: EventView) => void): Column<EventView>[] {
  const words = useWords(eventWords);
  return [
    { label: words.event, phone: 'first', cell: ({ event }) => event },
    { label: words.resource, isWide: true, cell: ({ resourceId }) => <code>{resourceId}</code> },
    { label: words.at, phone: 'second', cell: ({ createdAt }) => <Time at={createdAt} isRelative /> },
    {
      label: words.content,
      isEnd: true,
      phone: 'firstEnd',
      cell: (each) => (
        <Button
          kind="quiet"
          size="small"
          aria-label={`${words.json}: ${each.event}`}
          onClick={() => onShow(each)}
        >
          {words.json}
        </Button>
      ),
    },
  ];
}
