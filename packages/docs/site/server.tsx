import { renderToString } from 'preact-render-to-string';
import type { Page, Surroundings } from '../src/model.ts';
import { Errors } from './errors.tsx';
import { Events } from './events.tsx';
import { Document } from './frame.tsx';
import { Guide } from './guide.tsx';
import { Home } from './home.tsx';
import { Missing } from './missing.tsx';
import { Resource } from './resource.tsx';

export function renderPage(page: Page, around: Surroundings): string {
  const body = renderToString(
    <Document page={page} around={around}>
      <Body page={page} around={around} />
    </Document>,
  );
  return `<!doctype html>${body}`;
}

function Body({ page, around }: { page: Page; around: Surroundings }) {
  const { content } = page;
  switch (content.kind) {
    case 'home':
      return <Home page={page} around={around} />;
    case 'missing':
      return <Missing page={page} />;
    case 'guide':
      return <Guide page={page} content={content} around={around} />;
    case 'resource':
      return <Resource page={page} content={content} />;
    case 'errors':
      return <Errors page={page} content={content} />;
    case 'events':
      return <Events page={page} content={content} />;
  }
}
