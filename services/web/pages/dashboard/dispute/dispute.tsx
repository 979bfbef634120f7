import type { DisputeView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Status } from '../../components/badge/badge.tsx';
import { buttonClass } from '../../components/button/button.tsx';
import { Card, Columns, Stack } from '../../components/card/card.tsx';
import { Details } from '../../components/details/details.tsx';
import { Money, Time } from '../../components/values/values.tsx';
import { environment } from '../../shared/api.ts';
import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { usePlatformText } from '../../shared/platform-text.ts';
import { Deadline } from '../disputes/deadline.tsx';
import { disputeQuery } from '../disputes/queries.ts';
import { useReasonText } from '../disputes/reasons.ts';
import { disputesWords } from '../disputes/words.ts';
import { BackLink } from '../lists/links.tsx';
import { ObjectPage } from '../object-page.tsx';
import { Evidence } from './evidence.tsx';
import { PlayDispute } from './play-dispute.tsx';

const route = getRouteApi('/frame/disputes/$id');

export function DisputePage() {
  const words = useWords(disputesWords);
  return (
    <ObjectPage
      read={useQuery(disputeQuery(route.useParams().id))}
      name={words.dispute}
      back={<BackLink to="/disputes" text={words.disputes} />}
      head={(dispute) => ({
        title: money(dispute.amount),
        beside: <Status of="dispute" status={dispute.status} />,
        actions: <Actions dispute={dispute} />,
      })}
    >
      {(dispute) => (
        <Columns>
          <Evidence dispute={dispute} />
          <Stack>
            <DisputeDetails dispute={dispute} />
          </Stack>
        </Columns>
      )}
    </ObjectPage>
  );
}

function Actions({ dispute }: { dispute: DisputeView }) {
  const words = useWords(disputesWords);
  return (
    <>
      {environment === 'sandbox' && <PlayDispute dispute={dispute} />}
      <Link to="/charges/$id" params={{ id: dispute.chargeId }} className={buttonClass()}>
        {words.seeCharge}
      </Link>
    </>
  );
}

function DisputeDetails({ dispute }: { dispute: DisputeView }) {
  const words = useWords(disputesWords);
  const reason = useReasonText();
  const shown = usePlatformText();
  const { resolvedAt, resolution, deadline, status, refundedAmount, debt } = dispute;
  return (
    <Card title={words.details}>
      <Details
        details={[
          { label: words.amount, value: <Money cents={dispute.amount} /> },
          { label: words.reason, value: reason(dispute.reason) },
          { label: words.description, value: shown(dispute.description) },
          { label: words.deadline, value: <Deadline deadline={deadline} status={status} isDated /> },
          { label: words.created, value: <Time at={dispute.createdAt} /> },
          { label: words.resolved, value: resolvedAt && <Time at={resolvedAt} /> },
          { label: words.resolution, value: shown(resolution) },
          { label: words.refunded, value: resolvedAt && <Money cents={refundedAmount} /> },
          { label: words.debt, value: debt ? <Money cents={debt} /> : null },
          { label: words.charge, value: dispute.chargeId, copy: dispute.chargeId },
          { label: 'ID', value: dispute.id, copy: dispute.id },
        ]}
      />
    </Card>
  );
}
