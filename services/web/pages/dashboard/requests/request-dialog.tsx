import type { LoggedRequestView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Details } from '../../components/details/details.tsx';
import { Dialog } from '../../components/dialog/dialog.tsx';
import layout from '../../components/layout.module.css';
import { Time } from '../../components/values/values.tsx';
import { count } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { apiKeysQuery } from '../api-keys/queries.ts';
import { GuideLink } from '../guide/guide-link.tsx';
import { Answer, Sent } from './request-values.tsx';
import { requestWords } from './words.ts';

export function RequestDialog({ request, onClose }: { request: LoggedRequestView; onClose: () => void }) {
  const words = useWords(requestWords);
  const language = useLanguage();
  const { parameters, errorCode, errorMessage, durationMs, objectId, requestId, createdAt } = request;
  return (
    <Dialog title={words.request} onClose={onClose} isWide>
      <Details
        details={[
          { label: words.request, value: <Sent request={request} /> },
          { label: words.parameters, value: parameters.join(', ') },
          { label: words.answer, value: <Answer request={request} /> },
          { label: words.code, value: errorCode, copy: errorCode },
          { label: words.message, value: errorMessage },
          { label: words.duration, value: words.took(count(durationMs, language)) },
          { label: words.at, value: <Time at={createdAt} isExact /> },
          { label: words.apiKey, value: <Key id={request.apiKeyId} /> },
          {
            label: words.object,
            value: objectId && <ObjectLink request={request} onFollow={onClose} />,
            copy: objectId,
          },
          { label: words.requestId, value: requestId && <code>{requestId}</code>, copy: requestId },
        ]}
      />
      <p className={layout.soft}>{words.notStored}</p>
      <GuideLink to="requests" />
    </Dialog>
  );
}

/** Shows an API key by its name, because users recognise the name and not the id. */
function Key({ id }: { id: string | null }) {
  const { byUser } = useWords(requestWords);
  const { data } = useQuery({ ...apiKeysQuery(), enabled: id !== null });
  if (id === null) return byUser;
  return data?.data.find((key) => key.id === id)?.name ?? <code>{id}</code>;
}

const resourcePages = [
  ['/v1/charges', '/charges/$id'],
  ['/v1/withdrawals', '/withdrawals/$id'],
  ['/v1/disputes', '/disputes/$id'],
  ['/v1/payment-links', '/payment-links/$id'],
] as const;

function ObjectLink({ request, onFollow }: { request: LoggedRequestView; onFollow: () => void }) {
  const { path, objectId } = request;
  const [, to] = resourcePages.find(([begins]) => path === begins || path.startsWith(`${begins}/`)) ?? [];
  const id = objectId ?? '';
  if (!to) return <code>{id}</code>;
  return (
    <Link to={to} params={{ id }} onClick={onFollow}>
      <code>{id}</code>
    </Link>
  );
}
