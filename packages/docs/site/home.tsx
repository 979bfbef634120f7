import { addressOf, type Page, type Surroundings } from '../src/model.ts';
import { words } from './words.ts';

export function Home({ page, around }: { page: Page; around: Surroundings }) {
  const say = words[page.language];
  const first = around.groups[0]?.pages[0];
  return (
    <main id="content" tabindex={-1} class="wide">
      <section class="hero">
        <h1>{say.homeTitle}</h1>
        <p class="lead">{say.homeText}</p>
        <p class="actions">
          {first && (
            <a class="button" href={addressOf(page.language, first.slug)}>
              {first.title}
            </a>
          )}
          <a class="button quiet" href={addressOf(page.language, 'reference/charges')}>
            {say.reference}
          </a>
        </p>
      </section>
      <div class="cards">
        {around.groups.map(({ title, pages }) => (
          <section key={title} class={pages.length > 8 ? 'card long' : 'card'}>
            <h2>{title}</h2>
            <ul>
              {pages.map(({ slug, title: name }) => (
                <li key={slug}>
                  <a href={addressOf(page.language, slug)}>{name}</a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <footer class="sources">
        <a href="/openapi.json">{say.document}</a>
        <a href="/collection.json">{say.collection}</a>
        <a href="/docs/llms.txt">{say.forModels} (llms.txt)</a>
      </footer>
    </main>
  );
}
