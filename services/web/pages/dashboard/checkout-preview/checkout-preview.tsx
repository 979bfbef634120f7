import { textOn } from '@plataforma/kernel/colours';
import type { CSSProperties } from 'react';
import layout from '../../components/layout.module.css';
import { catalogue, useWords } from '../../shared/language.ts';
import styles from './checkout-preview.module.css';

const previewWords = catalogue({
  title: ['Visão do comprador', 'Buyer view'],
});

interface Props {
  colour: string;
  name: string;
  logo?: string | null;
  /** The checkout's largest text: an amount or a description. */
  title: string;
  text?: string;
  /** The labels of the buyer's fields. */
  fields?: readonly string[];
  /** The labels of the buttons. The first button is the primary button. */
  buttons: readonly string[];
}

interface Accented extends CSSProperties {
  '--brand': string;
  '--on-brand': string;
}

/**
 * A picture of the checkout with settings that are not yet saved. Screen readers read only the picture's
 * name.
 */
export function CheckoutPreview({ colour, name, logo, title, text, fields = [], buttons }: Props) {
  const words = useWords(previewWords);
  const accent: Accented = { '--brand': colour, '--on-brand': textOn(colour) };
  return (
    <figure className={styles.preview} style={accent} aria-label={words.title}>
      <figcaption className={styles.caption}>{words.title}</figcaption>
      <div className={styles.checkout} aria-hidden="true">
        <span className={styles.shop}>
          {logo ? (
            <img className={styles.logo} src={logo} alt="" />
          ) : (
            <span className={styles.mark}>{[...name][0]?.toUpperCase()}</span>
          )}
          {name}
        </span>
        <span className={styles.title}>{title}</span>
        {text && <span className={layout.soft}>{text}</span>}
        {fields.map((field) => (
          <span key={field} className={styles.field}>
            {field}
          </span>
        ))}
        {buttons.map((button, at) => (
          <span key={button} className={at === 0 ? styles.pay : styles.second}>
            {button}
          </span>
        ))}
      </div>
    </figure>
  );
}
