import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './chromium.ts';

/** Flags that stop the browser's own network traffic; a container's root needs `--no-sandbox`. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages resolve no host name except this machine's.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]',
];

const START_MS = 90_000;

/** Starts the system's Chromium with an empty profile, which is removed when the browser closes. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) {
    throw new Error(
      'no Chromium: install it (Debian: apt-get install chromium-headless-shell), or say where with CHROMIUM',
    );
  }
  return chromium.launch({ executablePath, args: FLAGS, headless: true, timeout: START_MS });
}
