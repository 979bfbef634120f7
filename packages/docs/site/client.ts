import './style.css';
import { showOwnAddresses } from './client/addresses.ts';
import { wireCode } from './client/code.ts';
import { wireLanguage } from './client/language.ts';
import { wireSearch } from './client/search.ts';
import { wireTheme } from './client/theme.ts';

/** The list of pages begins where this one is. */
const current = document.querySelector<HTMLElement>('.sidebar [aria-current]');
const list = current?.closest<HTMLElement>('.sidebar');
if (current && list) list.scrollTop = current.offsetTop - list.clientHeight / 2;

wireTheme();
wireLanguage();
wireCode();
wireSearch();
await showOwnAddresses();
