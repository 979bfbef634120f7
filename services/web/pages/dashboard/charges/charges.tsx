import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { buttonClass } from '../../parts/button/button.tsx';
import { Card, Page } from '../../parts/card/card.tsx';
import { Icon } from '../../parts/icon/icon.tsx';
import { Empty, Failed, Skeleton } from '../../parts/states/states.tsx';
import { Pager } from '../../parts/table/table.tsx';
import { useWords } from '../../shared/language.ts';
import { firstCharge } from '../developers/receiver.ts';
import { ExportLink } from '../export/export-link.tsx';
import { ChargeTable } from './charge-table.tsx';
import { ChargeFilters } from './filters.tsx';
import { chargeQuery, chargesQuery } from './queries.ts';
import type { ChargesSearch } from './search.ts';
import { chargesWords } from './words.ts';

const route = getRouteApi('/frame/charges');

export function ChargesPage() {
  const words = useWords(chargesWords);
  const search = route.useSearch();
  const actions = (
    <>
      <ExportLink path="/v1/charges" query={chargeQuery(search)} name={words.title} />
      <NewChargeLink />
    </>
  );
  return (
    <Page title={words.title} actions={actions}>
      <ChargeFilters search={search} />
      <Card isFlush>
        <List search={search} />
      </Card>
    </Page>
  );
}

function NewChargeLink() {
  const words = useWords(chargesWords);
  return (
    <Link to="/charges/new" className={buttonClass('primary')}>
      <Icon name="plus" />
      {words.create}
    </Link>
  );
}

function List({ search }: { search: ChargesSearch }) {
  const words = useWords(chargesWords);
  const { data, error, isFetching, refetch } = useQuery(chargesQuery(search));
  if (error && !data) return <Failed error={error} retry={refetch} />;
  if (!data) return <Skeleton lines={12} />;
  if (data.data.length === 0) return <None search={search} />;
  return (
    <>
      <ChargeTable label={words.title} rows={data.data} isReading={isFetching} />
      <Pager
        meta={data.meta}
        link={(page, text) => (
          <Link to="/charges" search={{ ...search, page }} className={buttonClass('plain', 'small')}>
            {text}
          </Link>
        )}
      />
    </>
  );
}

function None({ search }: { search: ChargesSearch }) {
  const words = useWords(chargesWords);
  if (!Object.values(search).some(Boolean)) {
    return (
      <Empty
        title={words.emptyTitle}
        text={words.emptyText}
        action={<NewChargeLink />}
        code={firstCharge()}
      />
    );
  }
  const clear = (
    <Link to="/charges" search={{}} className={buttonClass()}>
      {words.clear}
    </Link>
  );
  return <Empty title={words.noneTitle} text={words.noneText} action={clear} />;
}
