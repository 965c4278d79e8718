import { chromium, firefox, type Browser } from 'playwright-core';
import { resolve } from 'node:path';

export type Scheme = 'light' | 'dark';

/** A browser that reports are looked at in. */
export interface Tried {
  name: 'Chromium' | 'Firefox';
  /** the package of Debian that brings it */
  package: string;
  binary: string;
  /** Firefox has a scheme from its start to its end, in Chromium each page may have another. */
  launch(scheme: Scheme): Promise<Browser>;
}

/** CHROMIUM and FIREFOX name other binaries than those of Debian. */
export const BROWSERS: readonly Tried[] = [
  {
    name: 'Chromium',
    package: 'chromium',
    binary: process.env.CHROMIUM ?? '/usr/bin/chromium',
    launch() {
      return chromium.launch({
        executablePath: this.binary,
        args: ['--no-sandbox', '--disable-dev-shm-usage'],
      });
    },
  },
  {
    name: 'Firefox',
    package: 'firefox-esr',
    binary: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    launch(scheme) {
      return firefox.launch({
        // as it is, by WebDriver BiDi, not the one that Playwright builds
        channel: 'moz-firefox',
        executablePath: resolve('test/page/firefoxForPlaywright.mjs'),
        firefoxUserPrefs: {
          'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1,
        },
      });
    },
  },
];
