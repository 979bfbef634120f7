import { MAX_FILE_BYTES, MAX_FILES } from '@plataforma/contracts/new-file';
import { useState } from 'react';

/** A file that was chosen, until it is one of the dispute's. */
export interface Upload {
  /** Its Idempotency-Key: sent twice, it is one file. */
  key: string;
  file: File;
  /** Why it is not on its way: its size, one too many, or refused, as its row says. */
  wrong: 'empty' | 'tooLarge' | 'tooMany' | 'refused' | null;
}

export interface Uploads {
  list: readonly Upload[];
  /** How many more can be chosen. */
  room: number;
  add: (files: Iterable<File>) => void;
  drop: (key: string) => void;
  refuse: (key: string) => void;
  retry: (key: string) => void;
}

/** What was chosen beside the files that the dispute has. */
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

/** Its place is that of the first one there was no room for. */
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
