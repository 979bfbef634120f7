import { useNavigate } from '@tanstack/react-router';
import {
  type ComponentType,
  type FormEvent,
  type KeyboardEvent,
  lazy,
  Suspense,
  useEffect,
  useId,
  useState,
} from 'react';
import { Icon } from '../../components/icon/icon.tsx';
import { useWords } from '../../shared/language.ts';
import { frameWords } from '../frame/words.ts';
import type { Option } from './options.ts';
import type { ResultsProps } from './results.tsx';
import styles from './search-box.module.css';

/** The pause in typing after which the search begins. */
const PAUSE_MS = 200;

/** The results load with the first focus. If they do not load, Enter still opens the list of charges. */
const loadResults = () => import('./results.tsx');
const Results = lazy<ComponentType<ResultsProps>>(async () => ({
  default: await loadResults().then(
    ({ Results: loaded }) => loaded,
    () => () => null,
  ),
}));

/** The search of the whole dashboard: a combobox whose list has the results of each kind. */
export function SearchBox() {
  const words = useWords(frameWords);
  const list = useId();
  const search = useSearch((key) => `${list}-${key}`);
  const { text, sought, options, active } = search;
  const isShown = options !== null;
  return (
    <search className={styles.search}>
      <form onSubmit={search.submit} className={styles.form}>
        <Icon name="search" />
        <input
          id="search"
          name="search"
          type="search"
          role="combobox"
          className={styles.input}
          aria-label={words.searchAll}
          aria-expanded={isShown}
          aria-controls={isShown ? list : undefined}
          aria-autocomplete="list"
          aria-activedescendant={isShown && active !== null ? `${list}-${active}` : undefined}
          placeholder={words.searchHint}
          autoComplete="off"
          maxLength={255}
          value={text}
          onChange={(event) => search.type(event.target.value)}
          onFocus={() => void loadResults().catch(() => null)}
          onBlur={search.close}
          onKeyDown={search.press}
        />
        <kbd className={styles.key}>/</kbd>
      </form>
      {sought !== null && (
        <Suspense>
          <Results {...{ list, active, open: search.open }} text={sought} onOptions={search.setOptions} />
        </Suspense>
      )}
    </search>
  );
}

function useSearch(optionId: (key: string) => string) {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState<string | null>(null);
  /** The rows of the shown list. Null while no list is shown. */
  const [options, setOptions] = useState<readonly Option[] | null>(null);
  const paused = usePaused(text.trim());
  const sought = isOpen && paused.length > 1 && text.trim().length > 1 ? paused : null;
  const close = () => {
    setOpen(false);
    setActive(null);
  };
  const open = useOpening(text.trim(), close);

  function type(typed: string): void {
    setText(typed);
    setActive(null);
    setOpen(true);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const chosen = options?.find(({ key }) => key === active);
    if (chosen) open(chosen);
    else if (text.trim() !== '') open({ list: options?.[0]?.kind ?? 'charges' });
  }

  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape' && options !== null) close();
    else if (step === undefined) return;
    else setOpen(true);
    event.preventDefault();
    if (step === undefined || !options || options.length === 0) return;
    const at = options.findIndex(({ key }) => key === active);
    const next =
      at === -1 && step === -1 ? options.length - 1 : (at + step + options.length) % options.length;
    const key = options[next]?.key ?? null;
    setActive(key);
    if (key !== null) document.getElementById(optionId(key))?.scrollIntoView({ block: 'nearest' });
  }

  return { text, sought, options, active, setOptions, type, close, submit, press, open };
}

function useOpening(search: string, close: () => void) {
  const navigate = useNavigate();
  return (opened: Option | { list: Option['kind'] }): void => {
    close();
    if ('list' in opened) void navigate({ to: `/${opened.list}`, search: { search } });
    else void navigate({ to: opened.to, params: { id: opened.id } });
  };
}

/** Returns the text once it has not changed for a moment, so that not every key press starts a search. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
