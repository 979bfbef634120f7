import { type ReactNode, type ToggleEvent, useId, useRef } from 'react';
import styles from './menu.module.css';

interface Props {
  /** The content of the button that opens the menu. */
  label: ReactNode;
  labelClass?: string | undefined;
  children: ReactNode;
}

/** A menu below its button. The browser closes the menu on Escape or on a click outside it. */
export function Menu({ label, labelClass, children }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);

  function alignMenu({ currentTarget, newState }: ToggleEvent<HTMLDivElement>): void {
    const from = button.current?.getBoundingClientRect();
    if (newState !== 'open' || !from) return;
    const right = document.documentElement.clientWidth - currentTarget.offsetWidth - 8;
    currentTarget.style.setProperty('--x', `${Math.max(8, Math.min(from.left, right))}px`);
    currentTarget.style.setProperty('--y', `${from.bottom + 4}px`);
  }

  return (
    <>
      <button ref={button} type="button" popoverTarget={id} className={labelClass}>
        {label}
      </button>
      <div id={id} popover="auto" className={styles.menu} onToggle={alignMenu}>
        {children}
      </div>
    </>
  );
}

interface ItemProps {
  children: ReactNode;
  onClick: () => void;
  /** True for an item whose effect the person sees at once and may want to change again. */
  staysOpen?: boolean;
}

export function MenuItem({ children, onClick, staysOpen = false }: ItemProps) {
  return (
    <button
      type="button"
      className={styles.item}
      onClick={(event) => {
        if (!staysOpen) event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
        onClick();
      }}
    >
      {children}
    </button>
  );
}

export function MenuLink({ children, href }: { children: ReactNode; href: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className={styles.item}
      onClick={(event) => event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()}
    >
      {children}
    </a>
  );
}

export function MenuText({ children }: { children: ReactNode }) {
  return <div className={styles.text}>{children}</div>;
}

export function MenuLine() {
  return <hr className={styles.line} />;
}
