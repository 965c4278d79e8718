import { chromium, firefox, type Browser } from 'playwright-core';
import { resolve } from 'node:path';

export type Scheme = 'light' | 'dark';

/** A browser for viewing reports. */
export interface Tried {
  name: 'Chromium' | 'Firefox';
  /** its Debian package */
  package: string;
  binary: string;
  /** Firefox has one scheme from start to exit, in Chromium each page may have another. */
  launch(scheme: Scheme): Promise<Browser>;
}

/** CHROMIUM and FIREFOX name other binaries than Debian's. */
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
        // the standard Firefox, by WebDriver BiDi, not Playwright's build
        channel: 'moz-firefox',
        executablePath: resolve('test/page/firefoxForPlaywright.mjs'),
        firefoxUserPrefs: {
          'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1,
        },
      });
    },
  },
];
