import { classes } from '../../components/classes.ts';
import { Icon } from '../../components/icon/icon.tsx';
import menu from '../../components/menu/menu.module.css';
import { Menu, MenuItem, MenuLine, MenuLink, MenuText } from '../../components/menu/menu.tsx';
import { docsUrl } from '../../shared/addresses.ts';
import { setLanguage, useLanguage, useWords } from '../../shared/language.ts';
import { setTheme, themes, useTheme } from '../../shared/theme.ts';
import { guides } from '../guide/guides.ts';
import { leaveAllTabs, logOut, useAccount } from '../session/session.ts';
import styles from './account-menu.module.css';
import { frameWords } from './words.ts';

export function AccountMenu({ onShowKeys }: { onShowKeys: () => void }) {
  const words = useWords(frameWords);
  const language = useLanguage();
  const account = useAccount();
  const docs = docsUrl(language, guides[language].all.to);
  const company = account?.companyName ?? '';
  return (
    <Menu labelClass={classes(menu.item, styles.button)} label={<Label company={company} />}>
      <MenuText>{account?.email}</MenuText>
      <MenuLine />
      <MenuItem onClick={() => setLanguage(language === 'en' ? 'pt-BR' : 'en')}>
        <span lang={language === 'en' ? 'pt-BR' : 'en'}>{words.language}</span>
      </MenuItem>
      <ThemeItem />
      {docs && (
        <MenuLink href={docs}>
          <Icon name="outside" />
          {guides[language].all.text}
        </MenuLink>
      )}
      <MenuItem onClick={onShowKeys}>
        <Icon name="keyboard" />
        {words.shortcuts}
      </MenuItem>
      <MenuLine />
      <MenuItem onClick={() => void leave()}>
        <Icon name="logout" />
        {words.logOut}
      </MenuItem>
    </Menu>
  );
}

/** Changes the theme at each press. The menu stays open, so that the person sees the result. */
function ThemeItem() {
  const words = useWords(frameWords);
  const theme = useTheme();
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto';
  return (
    <MenuItem staysOpen onClick={() => setTheme(next)}>
      {words.theme}: {words.themes[theme]}
    </MenuItem>
  );
}

function Label({ company }: { company: string }) {
  return (
    <>
      <span className={styles.mark} aria-hidden="true">
        {company.slice(0, 1).toUpperCase()}
      </span>
      <span className={styles.name}>{company}</span>
      <Icon name="down" />
    </>
  );
}

const TIMEOUT_MS = 5_000;

/** Logs out this tab and all other tabs, even if the server does not answer. */
async function leave(): Promise<void> {
  const waited = new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS));
  await Promise.race([logOut().catch(() => undefined), waited]);
  leaveAllTabs();
}
