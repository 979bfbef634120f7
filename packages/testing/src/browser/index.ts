export { startBrowser } from './browser.ts';
export { findChromium } from './chromium.ts';
export { barriersInLooks, barriersOf, LOOKS, type Look, lookAs, sideScrollOf } from './looks.ts';
export { type Visit, type VisitOptions, visit } from './visit.ts';
