import { MAX_FILE_BYTES, MAX_FILES } from '@plataforma/contracts/new-file';
import { useState } from 'react';

/** A chosen file that the dispute does not contain yet. */
export interface Upload {
  /** The Idempotency-Key of the upload, so that a file sent twice is stored once. */
  key: string;
  file: File;
  /** The reason why the file is not being uploaded, or null during the upload. */
  wrong: 'empty' | 'tooLarge' | 'tooMany' | 'refused' | null;
}

export interface Uploads {
  list: readonly Upload[];
  /** How many more files the user can choose. */
  room: number;
  add: (files: Iterable<File>) => void;
  drop: (key: string) => void;
  refuse: (key: string) => void;
  retry: (key: string) => void;
}

/** Holds the chosen files that the dispute does not contain yet. */
export function useUploads(fileCount: number): Uploads {
  const [list, setList] = useState<readonly Upload[]>([]);
  const mark = (key: string, wrong: Upload['wrong']) =>
    setList((before) => before.map((one) => (one.key === key ? { ...one, wrong } : one)));
  const taken = fileCount + list.filter(({ wrong }) => wrong === null).length;
  const room = Math.max(0, MAX_FILES - taken);
  return {
    list,
    room,
    add(files) {
      let left = room;
      const chosen = [...files].map((file): Upload => {
        const wrong = wrongOf(file, left);
        if (wrong === null) left -= 1;
        return { key: crypto.randomUUID(), file, wrong };
      });
      setList((before) => [...before, ...chosen]);
    },
    refuse: (key) => setList((before) => refused(before, key)),
    retry: (key) => mark(key, null),
    drop: (key) => setList((before) => before.filter((one) => one.key !== key)),
  };
}

/** Marks a file as refused, and starts the upload of the first file that was over the limit of files. */
function refused(list: readonly Upload[], key: string): readonly Upload[] {
  const next = list.find(({ wrong }) => wrong === 'tooMany')?.key;
  return list.map((one) => {
    if (one.key === key) return { ...one, wrong: 'refused' };
    return one.key === next ? { ...one, wrong: null } : one;
  });
}

function wrongOf({ size }: File, left: number): Upload['wrong'] {
  if (size === 0) return 'empty';
  if (size > MAX_FILE_BYTES) return 'tooLarge';
  return left > 0 ? null : 'tooMany';
}
