import type { ComponentProps, ReactNode } from 'react';
import { buttonClass } from '../../parts/button/button.tsx';
import { Empty } from '../../parts/states/states.tsx';
import { Pager } from '../../parts/table/table.tsx';
import { catalogue, useWords } from '../../shared/language.ts';

const words = catalogue({
  past: ['A lista termina antes desta página', 'The list ends before this page'],
  last: ['Última página', 'Last page'],
});

interface Props {
  meta: ComponentProps<typeof Pager>['meta'];
  hasRows: boolean;
  /** Leads to another page of the same list. */
  link: (page: number, text: string, className: string) => ReactNode;
  children: ReactNode;
}

/** Shows one page of a list that has rows, and leads to the other pages. */
export function ListPage({ meta, hasRows, link, children }: Props) {
  const { past, last } = useWords(words);
  if (!hasRows) return <Empty title={past} action={link(meta.pages, last, buttonClass())} />;
  return (
    <>
      {children}
      <Pager meta={meta} link={(page, text) => link(page, text, buttonClass('plain', 'small'))} />
    </>
  );
}
