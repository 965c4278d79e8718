import type { Browser, Page } from 'playwright-core';
import { pathToFileURL } from 'node:url';

export interface Opened {
  page: Page;
  /** the browser's errors, and requests besides the page itself */
  complaints: string[];
  close(): Promise<void>;
}

export interface Look {
  width: number;
  height: number;
  scheme: 'light' | 'dark';
}

/** Opens a report from disk, and waits until its script, if it has one, has drawn it. */
export async function openReport(
  browser: Browser,
  file: string,
  { width, height, scheme }: Look,
  script = true,
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const url = pathToFileURL(file).href;
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== url && !request.url().startsWith('blob:'))
      complaints.push(`asks for ${request.url()}`);
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  await page.goto(url);
  if (script) await page.waitForSelector('html[data-ready]');
  return { page, complaints, close: () => context.close() };
}
