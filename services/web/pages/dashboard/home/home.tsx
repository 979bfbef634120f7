import type { WebhookConfigurationView } from '@plataforma/contracts';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/button/button.tsx';
import { Card, Page } from '../../components/card/card.tsx';
import { Notice, Skeleton } from '../../components/states/states.tsx';
import { ApiError } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { BalanceFigures } from '../balance/balance-figures.tsx';
import { balanceQuery } from '../balance/queries.ts';
import { useChargeColumns } from '../charges/charge-table.tsx';
import { latestChargesQuery } from '../charges/queries.ts';
import { Failed } from '../failed.tsx';
import { List } from '../lists/list.tsx';
import { useAccount } from '../session/session.ts';
import { webhooksQuery } from '../webhooks/queries.ts';
import { FirstSteps } from './first-steps.tsx';
import { useFirstSteps } from './use-first-steps.ts';
import { usePrefetchVolume, Volume } from './volume.tsx';
import { homeWords } from './words.ts';

/**
 * The page starts all its queries at once. The content below the balance appears only when the first steps
 * and the webhooks' health are known, so that it never moves.
 */
export function HomePage() {
  const words = useWords(homeWords);
  usePrefetchQuery(latestChargesQuery);
  usePrefetchVolume();
  const steps = useFirstSteps();
  const webhooks = useQuery(webhooksQuery);
  const isUnknown = steps === 'unknown' || (webhooks.isPending && webhooks.failureCount === 0);
  const { error } = useQuery(balanceQuery);
  // If a permission is missing, the page shows one error and not one in each of its parts.
  if (error instanceof ApiError && error.status === 403) {
    return (
      <Page title={words.home}>
        <Card>
          <Failed error={error} />
        </Card>
      </Page>
    );
  }
  return (
    <Page title={words.home}>
      <InReview />
      <BalanceFigures earned={words.earned} />
      {isUnknown ? (
        <Card>
          <Skeleton />
        </Card>
      ) : (
        <>
          <FailingWebhook webhooks={webhooks.data?.data ?? []} />
          {steps && <FirstSteps {...steps} />}
          <Volume />
          <LatestCharges />
        </>
      )}
    </Page>
  );
}

function InReview() {
  const words = useWords(homeWords);
  if (useAccount()?.status !== 'PENDING') return null;
  return (
    <Notice tone="warn">
      {words.inReview} <Link to="/review">{words.viewReview}</Link>
    </Notice>
  );
}

function FailingWebhook({ webhooks }: { webhooks: readonly WebhookConfigurationView[] }) {
  const words = useWords(homeWords);
  const failing = webhooks.find(({ isActive, health }) => isActive && health === 'failing');
  if (!failing) return null;
  return (
    <Notice tone="bad">
      {words.failing}{' '}
      <Link to="/developers/webhooks/$id" params={{ id: failing.id }}>
        {words.viewWebhook}
      </Link>
    </Notice>
  );
}

function LatestCharges() {
  const words = useWords(homeWords);
  const all = (
    <Link to="/charges" search={{}}>
      {words.viewAll}
    </Link>
  );
  const create = (
    <Link to="/charges/new" className={buttonClass()}>
      {words.newCharge}
    </Link>
  );
  return (
    <Card title={words.latest} action={all} isFlush>
      <List
        read={useQuery(latestChargesQuery)}
        label={words.latest}
        columns={useChargeColumns()}
        isPaged={false}
        empty={{ title: words.noCharges, action: create }}
      />
    </Card>
  );
}
