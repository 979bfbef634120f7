import type { ComponentProps, ReactNode } from 'react';
import { Card, Page } from '../components/card/card.tsx';
import { Read } from './read.tsx';

interface Props<Data> {
  read: ComponentProps<typeof Read<Data>>['of'];
  /** The heading that the page shows until the object is read. */
  name: string;
  back: ReactNode;
  head: (data: Data) => Pick<ComponentProps<typeof Page>, 'title' | 'beside' | 'actions'>;
  children: (data: Data) => ReactNode;
}

/** The page of one object. It shows placeholders during the read, or the error of the read. */
export function ObjectPage<Data>({ read, name, back, head, children }: Props<Data>) {
  const { data } = read;
  if (data === undefined) {
    return (
      <Page title={name} back={back}>
        <Card>
          <Read of={read} lines={8}>
            {() => null}
          </Read>
        </Card>
      </Page>
    );
  }
  return (
    <Page name={name} back={back} {...head(data)}>
      {children(data)}
    </Page>
  );
}
