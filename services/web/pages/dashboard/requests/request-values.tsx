import type { LoggedRequestView } from '@plataforma/contracts';
import { Badge } from '../../components/badge/badge.tsx';
import { RowButton } from '../../components/button/button.tsx';
import { useWords } from '../../shared/language.ts';
import styles from './requests.module.css';
import { requestWords } from './words.ts';

type Request = Pick<LoggedRequestView, 'method' | 'path' | 'status'>;

/** Ids begin with the time, so ids of the same minute look alike. Their last characters differ. */
const ID = /([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{4})([0-9a-f]{8})/;

/** The method and path of a request. A short form hides the beginnings of ids. */
export function Sent({ request: { method, path }, isShort }: { request: Request; isShort?: boolean }) {
  const [before, start, end, after] = isShort ? path.split(ID) : [path];
  return (
    <code className={styles.sent} title={start && path}>
      {method} {before}
      {start && (
        <span className={styles.id}>
          <span className={styles.start}>{start}</span>
          {end}
        </span>
      )}
      {after}
    </code>
  );
}

export function Answer({ request: { status } }: { request: Request }) {
  const { hungUp } = useWords(requestWords);
  if (status === null) return <Badge>{hungUp}</Badge>;
  return <Badge tone={status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'}>{status}</Badge>;
}

export function ShowButton({ request, onShow }: { request: Request; onShow: () => void }) {
  const { show } = useWords(requestWords);
  return <RowButton text={show} label={`${show}: ${request.method} ${request.path}`} onClick={onShow} />;
}
