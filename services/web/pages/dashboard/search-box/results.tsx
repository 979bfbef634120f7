import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { Badge } from '../../components/badge/badge.tsx';
import { classes } from '../../components/classes.ts';
import layout from '../../components/layout.module.css';
import { count } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { toneOfStatus } from '../../shared/statuses.ts';
import { findQuery } from './find.ts';
import { type ObjectOption, type Option, useOptions } from './options.ts';
import styles from './search-box.module.css';
import { searchBoxWords } from './words.ts';

export interface ResultsProps {
  /** The id of the list. */
  list: string;
  text: string;
  /** The key of the row that the arrow keys have reached. */
  active: string | null;
  /** Reports the rows when they change, and null when the list disappears. */
  onOptions: (options: readonly Option[] | null) => void;
  open: (option: Option) => void;
}

/** The results below the field. A press of the mouse on them does not take the focus from the field. */
export function Results({ list, text, active, onOptions, open }: ResultsProps) {
  const words = useWords(searchBoxWords);
  const language = useLanguage();
  const { data } = useQuery(findQuery(text));
  const optionsOf = useOptions();
  const groups = data?.groups.map((group) => ({ group, options: optionsOf(group) })) ?? [];
  const report = useEffectEvent((found: typeof data) =>
    onOptions(found ? groups.flatMap(({ options }) => options) : null),
  );
  useEffect(() => report(data), [data]);
  const leave = useEffectEvent(() => onOptions(null));
  useEffect(() => () => leave(), []);
  if (!data) return null;
  const found = groups.reduce((sum, { group }) => sum + group.rows.length, 0);
  const foundText = found === 1 ? words.foundOne : words.found(count(found, language));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the press only keeps the focus in the field
    <div className={styles.results} onMouseDown={(event) => event.preventDefault()}>
      <div role="status" className={found === 0 ? styles.none : layout.unseen}>
        {found === 0 ? <b>{words.none(data.text)}</b> : foundText}
        {found === 0 && data.isComplete && <span>{words.noneText}</span>}
      </div>
      <div id={list} role="listbox" aria-label={words.results}>
        {groups.map(({ group, options }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a listbox
          <div key={group.kind} role="group" aria-label={words[group.kind]}>
            <div className={styles.heading} aria-hidden="true">
              {words[group.kind]}
            </div>
            {options.map((option) => (
              <Row
                key={option.key}
                option={option}
                isActive={option.key === active}
                id={`${list}-${option.key}`}
                open={open}
              />
            ))}
          </div>
        ))}
      </div>
      {!data.isComplete && <p className={styles.none}>{words.incomplete}</p>}
    </div>
  );
}

interface RowProps {
  option: Option;
  isActive: boolean;
  id: string;
  open: (option: Option) => void;
}

function Row({ option, isActive, id, open }: RowProps) {
  const { more } = useWords(searchBoxWords);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the combobox open the row
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={classes(styles.row, isActive && styles.active)}
      onClick={() => open(option)}
    >
      {'list' in option ? <span className={styles.more}>{more}</span> : <ObjectRow {...option} />}
    </div>
  );
}

function ObjectRow({ title, detail, amount, status, statusText }: ObjectOption) {
  return (
    <>
      <span className={styles.title}>{title}</span>
      <span className={styles.detail}>{detail}</span>
      <span className={styles.amount}>{amount}</span>
      <span className={styles.status}>
        <Badge tone={toneOfStatus[status] ?? 'neutral'}>{statusText}</Badge>
      </span>
    </>
  );
}
