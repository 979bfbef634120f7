import type { FileView } from '@plataforma/contracts';
import { useMutation } from '@tanstack/react-query';
import { IconButton } from '../../components/button/button.tsx';
import layout from '../../components/layout.module.css';
import { toast } from '../../components/toast/toast.tsx';
import { call } from '../../shared/api.ts';
import { fileSize } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { useErrorText } from '../../shared/refusals.ts';
import { useChange } from '../changes/use-change.ts';
import { disputesWords } from '../disputes/words.ts';
import { readFile, save } from '../export/read-file.ts';
import styles from './files.module.css';

/** A file of the evidence. The user can download the file, but the page never opens it. */
export function FileRow({ file, isEditable = false }: { file: FileView; isEditable?: boolean }) {
  const words = useWords(disputesWords);
  const language = useLanguage();
  const errorText = useErrorText();
  const { id, name, size } = file;
  const download = useMutation({
    mutationFn: () => readFile(`/v1/files/${id}`, {}, 'application/octet-stream'),
    onSuccess: (bytes) => save(bytes, name),
    onError: (error) => toast(errorText(error)),
  });
  const removal = useChange({
    send: () => call('DELETE /v1/files/:id', { params: { id } }),
    changes: ['dispute'],
    done: words.removed,
  });
  return (
    <li className={styles.row}>
      <span className={styles.about}>
        <span className={styles.name}>{name}</span>
        <span className={layout.soft}>{fileSize(size, language)}</span>
      </span>
      <span className={styles.actions}>
        <IconButton
          icon="download"
          label={words.download(name)}
          aria-busy={download.isPending}
          onClick={() => download.mutate()}
        />
        {isEditable && (
          <IconButton
            icon="trash"
            label={words.removeFile(name)}
            aria-busy={removal.isPending}
            onClick={() => removal.isPending || removal.mutate(undefined)}
          />
        )}
      </span>
      {removal.error && (
        <p className={styles.wrong} role="alert">
          {errorText(removal.error)}
        </p>
      )}
    </li>
  );
}
