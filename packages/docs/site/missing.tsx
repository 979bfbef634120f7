import { addressOf, type Page } from '../src/model.ts';
import { words } from './words.ts';

export function Missing({ page }: { page: Page }) {
  const { home } = words[page.language];
  return (
    <main id="content" tabindex={-1}>
      <article>
        <h1>{page.title}</h1>
        <p class="lead">{page.description}</p>
        <p>
          <a href={addressOf(page.language, '')}>{home}</a>
        </p>
      </article>
    </main>
  );
}
