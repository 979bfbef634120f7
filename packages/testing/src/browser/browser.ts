import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './chromium.ts';

/**
 * Flags that stop the network traffic of the browser itself. `--no-sandbox` is necessary if root starts the
 * browser in a container.
 */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages can reach only this machine, because the browser resolves no other host name.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]',
];

const START_MS = 90_000;

/** Starts the installed Chromium with an empty profile, which is deleted when the browser closes. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) {
    throw new Error(
      'no Chromium: install it (Debian: apt-get install chromium-headless-shell), or set its path in CHROMIUM',
    );
  }
  return chromium.launch({ executablePath, args: FLAGS, headless: true, timeout: START_MS });
}
