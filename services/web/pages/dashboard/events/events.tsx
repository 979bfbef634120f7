import type { EventView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, buttonClass } from '../../parts/button/button.tsx';
import { Card, Page } from '../../parts/card/card.tsx';
import { DateRange } from '../../parts/date-range/date-range.tsx';
import { Select } from '../../parts/field/field.tsx';
import { Filters } from '../../parts/filters/filters.tsx';
import { Empty } from '../../parts/states/states.tsx';
import { type Column, Pager, Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { DeveloperTabs } from '../developers/tabs.tsx';
import { developerWords } from '../developers/words.ts';
import { Read } from '../read.tsx';
import { EventDialog } from './event-dialog.tsx';
import { eventsQuery } from './queries.ts';
import { type EventsSearch, eventsSearch, eventTypes } from './search.ts';
import { eventWords } from './words.ts';

const route = getRouteApi('/frame/developers/events');

export function EventsPage() {
  const { title } = useWords(developerWords);
  const search = route.useSearch();
  const [shown, show] = useState<EventView>();
  return (
    <Page title={title}>
      <DeveloperTabs />
      <EventFilters search={search} />
      <Card isFlush>
        <List search={search} onShow={show} />
      </Card>
      {shown && <EventDialog event={shown} onClose={() => show(undefined)} />}
    </Page>
  );
}

function EventFilters({ search }: { search: EventsSearch }) {
  const words = useWords(eventWords);
  const navigate = useNavigate();
  const { page: _first, ...others } = search;

  function change(changed: Partial<Record<keyof EventsSearch, string | undefined>>): void {
    void navigate({ to: '/developers/events', search: eventsSearch({ ...others, ...changed }) });
  }

  return (
    <Filters>
      <Select
        label={words.event}
        name="event"
        value={search.event ?? ''}
        options={[{ value: '', label: words.all }, ...eventTypes.map((value) => ({ value, label: value }))]}
        onChange={({ target }) => change({ event: target.value })}
      />
      <DateRange value={search} onChange={({ from, to }) => change({ from, to })} />
    </Filters>
  );
}

interface ListProps {
  search: EventsSearch;
  onShow: (event: EventView) => void;
}

function List({ search, onShow }: ListProps) {
  const words = useWords(eventWords);
  const columns = useColumns(onShow);
  const read = useQuery(eventsQuery(search));
  return (
    <Read of={read} lines={10}>
      {({ data, meta }) => {
        if (data.length === 0) return <None search={search} />;
        return (
          <>
            <Table
              label={words.list}
              columns={columns}
              rows={data}
              keyOf={({ id }) => id}
              isReading={read.isFetching}
            />
            <Pager
              meta={meta}
              link={(page, text) => (
                <Link
                  to="/developers/events"
                  search={{ ...search, page }}
                  className={buttonClass('plain', 'small')}
                >
                  {text}
                </Link>
              )}
            />
          </>
        );
      }}
    </Read>
  );
}

function useColumns(onShow: (event: EventView) => void): Column<EventView>[] {
  const words = useWords(eventWords);
  return [
    { label: words.event, phone: 'first', cell: ({ event }) => event },
    { label: words.resource, isWide: true, cell: ({ resourceId }) => <code>{resourceId}</code> },
    { label: words.at, phone: 'second', cell: ({ createdAt }) => <Time at={createdAt} isRelative /> },
    {
      label: words.json,
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

function None({ search }: { search: EventsSearch }) {
  const words = useWords(eventWords);
  if (!Object.values(search).some(Boolean)) return <Empty title={words.emptyTitle} text={words.emptyText} />;
  const clear = (
    <Link to="/developers/events" search={{}} className={buttonClass()}>
      {words.clear}
    </Link>
  );
  return <Empty title={words.noneTitle} text={words.noneText} action={clear} />;
}
