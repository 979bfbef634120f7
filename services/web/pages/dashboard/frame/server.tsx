/** @jsxImportSource preact */

import type { Language } from '@plataforma/contracts/catalogue';
import { renderToString } from 'preact-render-to-string';
import card from '../../components/card/card.module.css';
import { classes } from '../../components/classes.ts';
import icon from '../../components/icon/icon.module.css';
import { type IconName, iconPaths } from '../../components/icon/paths.ts';
import menu from '../../components/menu/menu.module.css';
import states from '../../components/states/states.module.css';
import { environmentOf } from '../../shared/environment.ts';
import searchBox from '../search-box/search-box.module.css';
import account from './account-menu.module.css';
import { destinationsIn } from './destinations.ts';
import frame from './frame.module.css';
import sidebar from './sidebar.module.css';
import topbar from './topbar.module.css';
import { frameWords } from './words.ts';

interface FrameRequest {
  language: Language;
  /** The path says which environment the page shows. */
  path: string;
}

type Destination = ReturnType<typeof destinationsIn>[number];
type Words = (typeof frameWords)[Language];

/**
 * Renders the frame with a placeholder for the page. The HTML looks like the frame that the script renders,
 * but its controls do nothing.
 */
export function renderFrame({ language, path }: FrameRequest) {
  const words = frameWords[language];
  const environment = environmentOf(path);
  const base = environment === 'sandbox' ? '/test' : '';
  const within = path.slice(base.length).replace(/\/$/, '') || '/';
  const destinations = destinationsIn(environment);
  const current = destinations.find(({ to }) => to === within);
  const body = renderToString(
    <div class={classes(frame.frame, frame.unready)} data-environment={environment} inert aria-hidden="true">
      {environment === 'sandbox' && <div class={frame.test}>{words.testBar}</div>}
      <Sidebar {...{ words, destinations: destinations, base, within }} />
      <div class={frame.main}>
        <Topbar words={words} />
        <div class={frame.content}>
          <div class={card.page}>
            <div class={card.top}>
              <div class={card.heading}>
                <div class={card.line}>{current && <h1 class={card.name}>{words[current.word]}</h1>}</div>
              </div>
            </div>
            <div class={card.card}>
              <div class={states.skeleton}>
                <span class={states.line} />
                <span class={states.line} />
                <span class={states.line} />
              </div>
            </div>
          </div>
        </div>
      </div>
    </div>,
  );
  return { body, page: current && `dashboard/${current.word}/${current.word}.tsx` };
}

interface SidebarProps {
  words: Words;
  destinations: readonly Destination[];
  base: string;
  within: string;
}

function Sidebar({ words, destinations, base, within }: SidebarProps) {
  const isHere = ({ to }: Destination) => within === to || (to !== '/' && within.startsWith(`${to}/`));
  return (
    <aside popover="auto" class={sidebar.sidebar}>
      <div class={classes(menu.item, account.button)}>
        <span class={account.mark} />
        <span class={account.name}>
          <span class={states.awaited} />
        </span>
        <Icon name="down" />
      </div>
      <nav class={sidebar.nav}>
        {destinations.map((destination) => (
          <a
            key={destination.word}
            href={base + destination.to}
            class={sidebar.link}
            aria-current={isHere(destination) ? 'page' : undefined}
          >
            <Icon name={destination.icon} />
            {words[destination.word]}
          </a>
        ))}
      </nav>
      <nav class={sidebar.switch}>
        <a href="/test" aria-current={base === '' ? undefined : 'true'}>
          {words.test}
        </a>
        <a href="/" aria-current={base === '' ? 'true' : undefined}>
          {words.production}
        </a>
      </nav>
    </aside>
  );
}

function Topbar({ words }: { words: Words }) {
  return (
    <header class={topbar.bar}>
      <div class={topbar.menu}>
        <Icon name="menu" />
      </div>
      <div class={searchBox.search}>
        <div class={searchBox.form}>
          <Icon name="search" />
          <input type="search" class={searchBox.input} placeholder={words.searchHint} />
          <kbd class={searchBox.key}>/</kbd>
        </div>
      </div>
    </header>
  );
}

function Icon({ name }: { name: IconName }) {
  return (
    <svg class={icon.icon} viewBox="0 0 24 24" aria-hidden="true">
      <path d={iconPaths[name]} />
    </svg>
  );
}
