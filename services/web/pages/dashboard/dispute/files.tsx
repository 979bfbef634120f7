import type { DisputeView } from '@plataforma/contracts';
import { fileTypes } from '@plataforma/contracts/new-file';
import { type DragEvent, useId, useState } from 'react';
import { buttonClass } from '../../components/button/button.tsx';
import { classes } from '../../components/classes.ts';
import layout from '../../components/layout.module.css';
import { partWords } from '../../components/words.ts';
import { useWords } from '../../shared/language.ts';
import { disputesWords } from '../disputes/words.ts';
import { FileRow } from './file-row.tsx';
import styles from './files.module.css';
import { UploadRow } from './upload-row.tsx';
import type { Uploads } from './use-uploads.ts';

/** The files of the evidence. The API stores each file as soon as it is uploaded. */
export function Files({ dispute, uploads }: { dispute: DisputeView; uploads: Uploads }) {
  const words = useWords(disputesWords);
  const { optional } = useWords(partWords);
  const { files } = dispute;
  return (
    <fieldset className={styles.group}>
      <legend className={styles.label}>
        {words.files} <span className={classes(layout.soft, styles.optional)}>{optional}</span>
      </legend>
      {files.length + uploads.list.length > 0 && (
        <ul className={styles.list}>
          {files.map((file) => (
            <FileRow key={file.id} file={file} isEditable />
          ))}
          {uploads.list.map((upload) => (
            <UploadRow key={upload.key} disputeId={dispute.id} upload={upload} uploads={uploads} />
          ))}
        </ul>
      )}
      {uploads.room > 0 ? <Choose add={uploads.add} /> : <p className={layout.soft}>{words.full}</p>}
    </fieldset>
  );
}

function Choose({ add }: Pick<Uploads, 'add'>) {
  const words = useWords(disputesWords);
  const [isOver, setOver] = useState(false);
  const id = useId();
  function over(event: DragEvent): void {
    event.preventDefault();
    setOver(event.type === 'dragover');
    if (event.type === 'drop') add(event.dataTransfer.files);
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field inside works by keyboard */}
      <div className={styles.drop} data-over={isOver} onDragOver={over} onDragLeave={over} onDrop={over}>
        <input
          id={id}
          type="file"
          multiple
          accept={fileTypes.join()}
          className={styles.input}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => {
            add(target.files ?? []);
            // Empties the field. Otherwise the browser reports no change when the user chooses the same file
            // again.
            target.value = '';
          }}
        />
        <label htmlFor={id} className={buttonClass('plain', 'small')}>
          {words.choose}
        </label>
        <span className={styles['by-mouse']}>{words.drop}</span>
      </div>
      <p id={`${id}-hint`} className={layout.soft}>
        {words.filesHint}
      </p>
    </>
  );
}
