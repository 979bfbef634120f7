import { Icon } from '../../components/icon/icon.tsx';
import { docsUrl } from '../../shared/addresses.ts';
import { useLanguage } from '../../shared/language.ts';
import styles from './guide-link.module.css';
import { type GuideName, guides } from './guides.ts';

interface Props {
  to: GuideName;
  className?: string | undefined;
  /**
   * True for a link beside a heading that already names the subject. The link then shows only the part of its
   * text before the colon.
   */
  isShort?: boolean;
}

/**
 * A link to the documentation in the user's language. It is not rendered when the address of the
 * documentation is unknown.
 */
export function GuideLink({ to, className = styles.link, isShort }: Props) {
  const language = useLanguage();
  const { text, to: path } = guides[language][to];
  const href = docsUrl(language, path);
  if (href === undefined) return null;
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className={className}
      aria-label={isShort ? text : undefined}
    >
      {isShort ? text.split(':')[0] : text}
      <Icon name="outside" />
    </a>
  );
}
