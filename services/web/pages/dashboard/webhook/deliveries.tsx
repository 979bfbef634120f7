import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Card } from '../../components/card/card.tsx';
import { Segments } from '../../components/tabs/tabs.tsx';
import { useWords } from '../../shared/language.ts';
import { statusWords } from '../../shared/statuses.ts';
import { GuideLink } from '../guide/guide-link.tsx';
import { List } from '../lists/list.tsx';
import { optionsOf } from '../options.ts';
import { deliverySearch } from '../searches.ts';
import { useDeliveryColumns } from '../webhooks/delivery-columns.tsx';
import { deliveriesQuery } from '../webhooks/queries.ts';
import { webhookWords } from '../webhooks/words.ts';

const route = getRouteApi('/frame/developers/webhooks/$id');

export function Deliveries({ webhookId }: { webhookId: string }) {
  const words = useWords(webhookWords);
  const statuses = useWords(statusWords).delivery;
  const { status, page } = route.useSearch();
  const navigate = useNavigate();
  const all = { value: '', label: words.all };
  const filter = (
    <Segments
      label={words.status}
      value={status ?? ''}
      options={[all, ...optionsOf(statuses)]}
      onChange={(chosen) => void navigate({ to: '.', search: deliverySearch({ status: chosen }) })}
    />
  );
  return (
    <Card title={words.deliveries} action={filter} isFlush>
      <List
        read={useQuery(deliveriesQuery({ webhookId, status, page }))}
        label={words.deliveries}
        columns={useDeliveryColumns()}
        lines={6}
        empty={{
          title: words.noDeliveries,
          text: status ? `${words.status}: ${statuses[status]}` : words.noDeliveriesText,
          more: <GuideLink to="webhooks" />,
        }}
      />
    </Card>
  );
}
