import { useMutation } from '@tanstack/react-query';
import { Button } from '../../parts/button/button.tsx';
import { toast } from '../../parts/toast/toast.tsx';
import { daysAgo } from '../../shared/format.ts';
import { catalogue, useWords } from '../../shared/language.ts';
import { useErrorText } from '../../shared/refusals.ts';
import { readCsv } from './read-csv.ts';

const words = catalogue({ export: 'Exportar CSV' }, { export: 'Export CSV' });

interface Props {
  path: string;
  query: Record<string, string | number | undefined>;
  /** Of the file, before its day. */
  name: string;
}

/** Saves all that the filters leave: the API writes the file, which takes a header that a plain link can't send. */
export function ExportLink({ path, query, name }: Props) {
  const text = useWords(words);
  const errorText = useErrorText();
  const { mutate, isPending } = useMutation({
    mutationFn: () => readCsv(path, query),
    onSuccess: (file) => save(file, `${name.toLowerCase()}-${daysAgo(0)}.csv`),
    onError: (error) => toast(errorText(error)),
  });
  return (
    <Button icon="download" busy={isPending} onClick={() => mutate()}>
      {text.export}
    </Button>
  );
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
