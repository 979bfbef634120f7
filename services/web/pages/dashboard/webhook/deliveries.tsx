import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Card } from '../../parts/card/card.tsx';
import { Empty } from '../../parts/states/states.tsx';
import { Segments } from '../../parts/tabs/tabs.tsx';
import { useWords } from '../../shared/language.ts';
import { statusWords } from '../../shared/statuses.ts';
import { GuideLink } from '../guide/guide-link.tsx';
import { ListPage } from '../lists/list-page.tsx';
import { Read } from '../read.tsx';
import { DeliveryTable } from '../webhooks/delivery-table.tsx';
import { deliveriesQuery } from '../webhooks/queries.ts';
import { deliverySearch, deliveryStatuses } from '../webhooks/search.ts';
import { webhookWords } from '../webhooks/words.ts';

const route = getRouteApi('/frame/developers/webhooks/$id');

export function Deliveries({ webhookId }: { webhookId: string }) {
  const words = useWords(webhookWords);
  const statuses = useWords(statusWords).delivery;
  const { status, page } = route.useSearch();
  const navigate = useNavigate();
  const read = useQuery(deliveriesQuery({ webhookId, status, page }));
  const all = { value: '', label: words.allStatuses };
  const filter = (
    <Segments
      label={words.status}
      value={status ?? ''}
      options={[all, ...deliveryStatuses.map((value) => ({ value, label: statuses[value] }))]}
      onChange={(chosen) =>
        void navigate({
          to: '/developers/webhooks/$id',
          params: { id: webhookId },
          search: deliverySearch({ status: chosen }),
        })
      }
    />
  );
  return (
    <Card title={words.deliveries} action={filter} isFlush>
      <Read of={read} lines={6}>
        {({ data, meta }) => {
          if (meta.total === 0)
            return (
              <Empty
                title={words.noDeliveries}
                text={status ? `${words.status}: ${statuses[status]}` : words.noDeliveriesText}
                more={<GuideLink to="webhooks" />}
              />
            );
          return (
            <ListPage
              meta={meta}
              hasRows={data.length > 0}
              link={(next, text, className) => (
                <Link
                  to="/developers/webhooks/$id"
                  params={{ id: webhookId }}
                  search={{ status, page: next }}
                  className={className}
                >
                  {text}
                </Link>
              )}
            >
              <DeliveryTable rows={data} isReading={read.isFetching} />
            </ListPage>
          );
        }}
      </Read>
    </Card>
  );
}
