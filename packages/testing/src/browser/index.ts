export { startBrowser } from './browser.ts';
export { findChromium } from './chromium.ts';
export {
  applyDisplayMode,
  barriersInModes,
  barriersOf,
  DISPLAY_MODES,
  type DisplayMode,
  sideScrollOf,
} from './display-modes.ts';
export { type Visit, type VisitOptions, visit } from './visit.ts';
