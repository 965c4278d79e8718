// Takes the picture of a report in README: node scripts/reportPicture.mjs (needs Debian's chromium, or CHROMIUM)
import { chromium } from 'playwright-core';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '..');
const directory = mkdtempSync(join(tmpdir(), 'picture-'));
const report = join(directory, 'report.html');
const bin = join(root, 'bin/kubectl-karmada_failover.js');
const argv = [
  'failover',
  'simulate',
  '--state',
  join(root, 'examples/shop'),
  '--fail',
  'frankfurt',
  '--report',
  report,
];
const { status, stderr } = spawnSync(process.execPath, [bin, ...argv], { encoding: 'utf8' });
if (status !== 0) throw new Error(stderr);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
const page = await browser.newPage({ viewport: { width: 1240, height: 860 }, colorScheme: 'light' });
await page.goto(pathToFileURL(report).href);
await page.waitForSelector('html[data-ready]');
await page.locator('#workloads').evaluate((section) => section.scrollIntoView());
await page.waitForTimeout(300);
mkdirSync(join(root, 'docs/images'), { recursive: true });
await page.screenshot({ path: join(root, 'docs/images/report.png') });
await browser.close();
rmSync(directory, { recursive: true });
