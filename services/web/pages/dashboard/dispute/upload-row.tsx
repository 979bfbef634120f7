import { useEffect, useState } from 'react';
import { Button, IconButton } from '../../components/button/button.tsx';
import layout from '../../components/layout.module.css';
import { ApiError, isPassing } from '../../shared/api.ts';
import { fileSize } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { useErrorText } from '../../shared/refusals.ts';
import { callWith } from '../../shared/upload.ts';
import { useChange } from '../changes/use-change.ts';
import { disputesWords } from '../disputes/words.ts';
import styles from './files.module.css';
import type { Upload, Uploads } from './use-uploads.ts';

interface Props {
  disputeId: string;
  upload: Upload;
  uploads: Uploads;
}

/**
 * A file that is being uploaded, or the error of a file that was not uploaded. The row disappears when the
 * dispute lists the file.
 */
export function UploadRow({ disputeId, upload: { key, file, wrong }, uploads }: Props) {
  const words = useWords(disputesWords);
  const language = useLanguage();
  const { retry, drop } = uploads;
  const [share, setShare] = useState(0);
  const { mutate, error } = useChange({
    send: () =>
      callWith(setShare)('POST /v1/files', {
        body: { purpose: 'dispute_evidence', disputeId, file },
        idempotencyKey: key,
      }),
    changes: ['dispute'],
    done: words.uploaded,
    onShown: () => drop(key),
    onFailed: () => uploads.refuse(key),
    scope: disputeId,
  });
  // Each change of a dependency starts the upload. The dependencies may therefore change only when the user
  // chooses a file or retries.
  useEffect(() => {
    if (wrong === null) mutate(undefined);
  }, [wrong, mutate]);
  const reason = useReason(wrong, error);
  return (
    <li className={styles.row}>
      <span className={styles.about}>
        <span className={styles.name}>{file.name}</span>
        <span className={layout.soft}>{fileSize(file.size, language)}</span>
      </span>
      <span className={styles.actions}>
        {wrong === 'refused' && isPassing(error) && (
          <Button kind="quiet" size="small" onClick={() => retry(key)}>
            {words.again}
          </Button>
        )}
        {reason && <IconButton icon="close" label={words.dismiss(file.name)} onClick={() => drop(key)} />}
      </span>
      {reason ? (
        <p className={styles.wrong} role="alert">
          {reason}
        </p>
      ) : (
        <progress className={styles.progress} max={1} value={share} aria-label={words.uploading(file.name)} />
      )}
    </li>
  );
}

function useReason(wrong: Upload['wrong'], error: unknown): string | null {
  const words = useWords(disputesWords);
  const errorText = useErrorText();
  if (wrong === null) return null;
  if (wrong !== 'refused') return words[wrong];
  // The row becomes `refused` a moment before the mutation provides the API's error. Until then, the row
  // shows no reason.
  if (!error) return null;
  const texts: Record<string, string> = {
    PAYLOAD_TOO_LARGE: words.tooLarge,
    UNSUPPORTED_MEDIA_TYPE: words.wrongType,
  };
  if (error instanceof ApiError && error.message.includes('holds a card number')) return words.cardInName;
  return (error instanceof ApiError && texts[error.code]) || errorText(error);
}
