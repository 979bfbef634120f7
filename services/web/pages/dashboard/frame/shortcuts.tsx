import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Dialog } from '../../components/dialog/dialog.tsx';
import { Switch } from '../../components/field/choices.tsx';
import { environment } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { destinationsIn } from './destinations.ts';
import styles from './shortcuts.module.css';
import { frameWords } from './words.ts';

const GO_MS = 1_500;
const STORAGE_KEY = 'shortcuts';

export function Shortcuts({ isShown, onShow }: { isShown: boolean; onShow: (isShown: boolean) => void }) {
  const navigate = useNavigate();
  const wentAt = useRef(Number.NEGATIVE_INFINITY);

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!areKeysOn() || isTyping(event)) return;
    const destination =
      event.timeStamp - wentAt.current < GO_MS &&
      destinationsIn(environment).find(({ key }) => key === event.key);
    wentAt.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    const act = destination ? () => navigate({ to: destination.to }) : acts.get(event.key);
    if (!act) return;
    event.preventDefault();
    void act();
  });
  const acts = new Map<string, () => unknown>([
    ['/', () => document.getElementById('search')?.focus()],
    ['n', () => navigate({ to: '/charges/new' })],
    ['j', () => moveInList(1)],
    ['k', () => moveInList(-1)],
    ['?', () => onShow(true)],
  ]);

  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);

  return isShown ? <ShortcutsDialog onClose={() => onShow(false)} /> : null;
}

function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const words = useWords(frameWords);
  const [isOn, setOn] = useState(areKeysOn());
  const rows = [
    { keys: ['/'], text: words.keys.search },
    { keys: ['n'], text: words.newCharge },
    ...destinationsIn(environment).map(({ key, word }) => ({ keys: ['g', key], text: words.keys[word] })),
    { keys: ['j'], text: words.keys.next },
    { keys: ['k'], text: words.keys.previous },
    { keys: ['Enter'], text: words.keys.open },
    { keys: ['?'], text: words.keys.help },
  ];

  function setKeys(on: boolean): void {
    setOn(on);
    setKeysOn(on);
  }

  return (
    <Dialog title={words.shortcuts} onClose={onClose}>
      <dl className={styles.list}>
        {rows.map(({ keys, text }) => (
          <div key={text} className={styles.row}>
            <dt>{text}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key} className={styles.key}>
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Switch label={words.keys.on} checked={isOn} onChange={(event) => setKeys(event.target.checked)} />
    </Dialog>
  );
}

/**
 * Returns whether shortcuts of a single letter are on. The user can switch them off, because speech input
 * would trigger them.
 */
function areKeysOn(): boolean {
  return localStorage.getItem(STORAGE_KEY) !== 'off';
}

function setKeysOn(on: boolean): void {
  localStorage.setItem(STORAGE_KEY, on ? 'on' : 'off');
}

/** Returns whether a field, a dialog or a browser shortcut uses the pressed key. */
function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  if (!(target instanceof HTMLElement)) return false;
  return target.closest('input, select, textarea, dialog, [contenteditable]') !== null;
}

/**
 * Moves the focus to the link of the next or previous row of the list. The Enter key then opens that link.
 */
function moveInList(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('[data-row] a')];
  const at = links.findIndex((link) => link.matches(':focus'));
  const next = at === -1 && step === -1 ? links.length - 1 : at + step;
  links[Math.max(0, Math.min(links.length - 1, next))]?.focus();
}
