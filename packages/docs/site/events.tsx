import type { Content, Page } from '../src/model.ts';
import { Fields } from './fields.tsx';
import { Html, InlineHtml } from './html.tsx';
import { words } from './words.ts';

export function Events({ page, content }: { page: Page; content: Extract<Content, { kind: 'events' }> }) {
  const say = words[page.language];
  return (
    <main id="content" tabindex={-1} class="reference">
      <h1>{page.title}</h1>
      <p class="lead">{page.description}</p>
      <section class="object">
        <InlineHtml html={content.description} />
        <Fields fields={content.envelope} language={page.language} />
      </section>
      {content.events.map(({ name, fields, example }) => (
        <section key={name} class="endpoint" aria-labelledby={name}>
          <div class="said">
            <h2 id={name}>
              <a href={`#${name}`}>
                <code>{name}</code>
              </a>
            </h2>
            <h3>
              {say.fieldsOf} <code>data</code>
            </h3>
            <Fields fields={fields} language={page.language} />
          </div>
          <div class="shown">
            <Html html={example} class="example" />
          </div>
        </section>
      ))}
    </main>
  );
}
