import type { Browser, Page } from 'playwright-core';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BROWSERS, type Scheme, type Tried } from './browsers.ts';
import { hostilePage } from './hostilePage.ts';
import { largePage } from './largePage.ts';
import { openReport, type Look, type Opened } from './openedReport.ts';
import { program } from '../program.ts';

/**
 * Tests reports as people see them, in Chromium and in Firefox: npm run pages [-- --pictures DIR]. The last line is "N passed, N failed".
 */
const pictures = process.argv.includes('--pictures')
  ? process.argv[process.argv.indexOf('--pictures') + 1]
  : undefined;
for (const { name, binary, package: debian } of BROWSERS)
  if (!existsSync(binary)) {
    console.error(`there is no ${binary}; apt-get install ${debian}, or name one in ${name.toUpperCase()}`);
    process.exit(1);
  }
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const directory = mkdtempSync(join(tmpdir(), 'pages-'));

function report(name: string, ...argv: string[]): string {
  const file = join(directory, name);
  const { status, stderr } = spawnSync(...program(...argv, '--report', file), { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`);
  return file;
}

const LOOKS: Readonly<Record<string, Look>> = {
  'wide and light': { width: 1440, height: 1000, scheme: 'light' },
  'in between and dark': { width: 900, height: 900, scheme: 'dark' },
  'narrow and light': { width: 420, height: 860, scheme: 'light' },
  'narrow and dark': { width: 420, height: 860, scheme: 'dark' },
};
const usual = LOOKS['wide and light']!;

type Picture = (name: string, fullPage: boolean) => Promise<void>;
interface Check {
  scheme: Scheme;
  run(browser: Browser, files: Files, where: Tried['name']): Promise<void>;
}
type Files = Readonly<Record<'simulation' | 'drain' | 'state' | 'audit' | 'hostile' | 'large', string>>;
const checks: Record<string, Check> = {};

/** Opens a report, interacts with it, and checks that the browser reported no errors. */
function onPage(
  name: string,
  look: Look,
  act: (page: Page, where: Tried['name'], picture: Picture) => Promise<void>,
  file: keyof Files = 'simulation',
): void {
  checks[name] = {
    scheme: look.scheme,
    async run(browser, files, where) {
      const opened = await openReport(browser, files[file], look, file !== 'audit');
      try {
        await act(opened.page, where, (what, fullPage) => takePicture(opened, `${where}, ${what}`, fullPage));
        assert.deepEqual(opened.complaints, []);
      } finally {
        await opened.close();
      }
    },
  };
}

const rowNames = (page: Page) => page.locator('.row .name b').allTextContents();
const active = (page: Page) => page.locator('#grid').getAttribute('aria-activedescendant');

for (const [name, look] of Object.entries(LOOKS)) {
  onPage(`a report that is ${name} loads nothing, and bars no one`, look, async (page, _, picture) => {
    assert.deepEqual(await violations(page), []);
    await picture(name, true);
    await page.locator('.row').first().click();
    assert.equal(await page.locator('#details').isVisible(), true);
    assert.deepEqual(await violations(page), []);
    await picture(`${name}, why`, false);
  });
  onPage(`a report that is ${name} is no wider than its window`, look, async (page) => {
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0);
  });
}

for (const file of ['drain', 'state', 'hostile'] as const)
  onPage(
    `the report of a ${file} bars no one, and is no wider than a narrow window`,
    LOOKS['narrow and dark']!,
    async (page, _, picture) => {
      assert.deepEqual(await violations(page), []);
      await picture(file, true);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(overflow, 0);
    },
    file,
  );

onPage(
  'a plan opens where something happens, with what is blocked, and shows the whole time if asked to',
  usual,
  async (page) => {
    assert.match(await page.locator('#shown').innerText(), /^T\+0s to T\+\d+(\.\d)?s$/);
    assert.match(await page.locator('#row-0').innerText(), /blocked/);
    await page.locator('.zoom button', { hasText: 'Whole time' }).click();
    // the drain is over when the last workload is gone
    assert.equal(await page.locator('#shown').innerText(), 'T+0s to T+45.1s');
  },
  'drain',
);

onPage(
  'no name of a workload or cluster is cut on a page of 1,024 pixels',
  { width: 1024, height: 900, scheme: 'light' },
  async (page) => {
    const cut = await page
      .locator('.row .name b, .row .lane, .curves .cluster')
      .evaluateAll((all) =>
        all
          .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 4)
          .map((one) => one.textContent),
      );
    assert.deepEqual(cut, []);
  },
);

for (const file of ['simulation', 'drain'] as const)
  for (const width of [390, 1024, 1440])
    onPage(
      `no text of a table, a row or a curve is cut in the report of a ${file} on a page of ${width} pixels, nor on paper`,
      { width, height: 900, scheme: 'light' },
      async (page) => {
        const cut = () =>
          page
            .locator(
              '.tables, .head button, .row .cell:not(.first), .row .cell:not(.first) > *, .row .lane, .curves .figures',
            )
            .evaluateAll((all) =>
              all
                .filter((one) => {
                  const row = one.closest('.row')?.getBoundingClientRect();
                  const isBelow = row !== undefined && one.getBoundingClientRect().bottom > row.bottom + 1;
                  return (
                    isBelow ||
                    one.scrollWidth > one.clientWidth + 1 ||
                    one.scrollHeight > one.clientHeight + 4
                  );
                })
                .map((one) => one.textContent),
            );
        assert.deepEqual(await cut(), []);
        await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
        assert.deepEqual(await cut(), []);
        // a row that begins on one page does not end on the next
        const rows = await page.locator('.row').evaluateAll((all) =>
          all.map((one) => ({
            avoids: getComputedStyle(one).breakInside,
            flows: getComputedStyle(one).position,
            bars: one.querySelectorAll('canvas').length,
          })),
        );
        assert.ok(rows.length > 10);
        for (const row of rows) assert.deepEqual(row, { avoids: 'avoid', flows: 'relative', bars: 1 });
        await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
        assert.equal(await page.locator('.row canvas').count(), 0);
      },
      file,
    );

onPage('a simulation carries changes that help, as commands', usual, async (page) => {
  assert.match(await page.locator('#remedies pre').first().innerText(), /^kubectl patch propagationpolicy/);
  assert.equal(await page.locator('#reasons').isVisible(), false);
});

onPage(
  'the page of an audit bars no one, and is no wider than a narrow window',
  LOOKS['narrow and light']!,
  async (page, _, picture) => {
    assert.deepEqual(await violations(page), []);
    await picture('audit', true);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0);
  },
  'audit',
);

onPage(
  'what one state shows is drawn by the clock, and nothing is said of before',
  usual,
  async (page) => {
    assert.equal(await page.locator('#shown').innerText(), 'At 09:32:00 UTC');
    assert.equal(await page.locator('.zoom').isVisible(), false);
    assert.match(await page.locator('#curves').innerText(), /unknown/);
    assert.equal(await page.locator('[role="columnheader"].outcome').count(), 0);
  },
  'state',
);

onPage('a click on a workload says why, and Esc goes back to the table', usual, async (page) => {
  await page.locator('.row', { hasText: 'checkout' }).click();
  const details = page.locator('#details');
  assert.match(await details.innerText(), /Outcome\s+moves/);
  assert.match(await details.innerText(), /tolerating from T\+35/);
  assert.match(await details.locator('li li').first().innerText(), /./);
  await page.keyboard.press('Escape');
  assert.equal(await details.isVisible(), false);
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'grid');
});

onPage('keys choose workloads, say why, and move along the time', usual, async (page) => {
  await page.locator('#grid').focus();
  assert.equal(await active(page), 'row-0');
  await page.keyboard.press('ArrowDown');
  await page.waitForSelector('#row-1[aria-selected="true"]');
  await page.keyboard.press('End');
  await page.waitForSelector('#row-11[aria-selected="true"]');
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('#details').isVisible(), true);
  await page.keyboard.press('Escape');
  const shown = () => page.locator('#shown').innerText();
  const whole = await shown();
  await page.keyboard.press('+');
  const half = await shown();
  assert.notEqual(half, whole);
  await page.keyboard.press('ArrowRight');
  assert.notEqual(await shown(), half);
  await page.keyboard.press('0');
  assert.equal(await shown(), whole);
});

onPage(
  'a part of the time is shown by dragging over the strip, the whole by a double click',
  usual,
  async (page, where, picture) => {
    await page.locator('.overview').scrollIntoViewIfNeeded();
    const box = (await page.locator('.overview').boundingBox())!;
    const y = box.y + box.height / 2;
    const shown = () => page.locator('#shown').innerText();
    const whole = await shown();
    await page.mouse.move(box.x + box.width * 0.05, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.25, y, { steps: 4 });
    await page.mouse.up();
    assert.match(await shown(), /^T\+3[45](\.\d)?s to T\+2m5\ds$/);
    await picture('zoomed', false);
    // Firefox treats WebDriver BiDi's double click as two single clicks
    if (where === 'Chromium') await page.locator('.overview').dblclick();
    else await page.locator('.overview').dispatchEvent('dblclick');
    assert.equal(await shown(), whole);
  },
);

onPage('workloads are found by words, by outcome, and sorted by columns', usual, async (page) => {
  await page.locator('#search').fill('shop check');
  await page.waitForFunction(() => document.querySelectorAll('.row').length === 1);
  assert.deepEqual(await rowNames(page), ['checkout']);
  await page.locator('#search').fill('');
  await page.locator('#of').selectOption({ label: 'lost (2)' });
  await page.waitForFunction(() => document.querySelectorAll('.row').length === 2);
  await page.locator('#of').selectOption('all');
  assert.match(await page.locator('.row-tools output').last().innerText(), /^14 of 14 workloads$/);
  await page.locator('.head .name button').click();
  await page.waitForSelector('[role="columnheader"][aria-sort="ascending"].name');
  const first = await page.locator('#row-0 .name b').innerText();
  await page.locator('.head .name button').click();
  await page.waitForSelector('[role="columnheader"][aria-sort="descending"].name');
  assert.notEqual(await page.locator('#row-0 .name b').innerText(), first);
});

onPage('a screen reader hears what the bars show', usual, async (page) => {
  const text = await page.locator('.row', { hasText: 'checkout' }).locator('.read').textContent();
  assert.match(text ?? '', /frankfurt: unreachable from T\+0s until T\+35\.1s .*then tolerating/);
  assert.match(
    (await page.locator('#curves li canvas').first().getAttribute('aria-label')) ?? '',
    /ready replicas/,
  );
});

onPage('the JSON is saved whole', usual, async (page) => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save').click()]);
  assert.equal(download.suggestedFilename(), 'simulation.json');
  const saved = JSON.parse(readFileSync(await download.path(), 'utf8')) as {
    kind: string;
    workloads: unknown[];
  };
  assert.equal(saved.kind, 'Simulation');
  assert.equal(saved.workloads.length, 14);
});

onPage(
  'on paper there are no tools, and all workloads',
  { ...usual, height: 500 },
  async (page, where, picture) => {
    // Firefox shows the print layout only when printing
    if (where === 'Chromium') {
      await page.emulateMedia({ media: 'print', colorScheme: 'light' });
      await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
      assert.equal(await page.locator('.row-tools').isVisible(), false);
      assert.equal(await page.locator('.row').count(), 12);
      await picture('print', true);
    }
    const pdf = await page.pdf({ format: 'A4', landscape: true, printBackground: true });
    assert.ok(pdf.length > 10_000);
    if (pictures) writeFileSync(join(pictures, `${where}-print.pdf`), pdf);
  },
);

onPage(
  'on paper a narrow dark window is as wide as a sheet, and light',
  LOOKS['narrow and dark']!,
  async (page) => {
    const paper = await page.evaluate(() => {
      window.dispatchEvent(new Event('beforeprint'));
      const ready = getComputedStyle(document.documentElement).getPropertyValue('--ready');
      return { width: document.getElementById('grid')!.offsetWidth, ready };
    });
    assert.deepEqual(paper, { width: 1020, ready: '#0a7d5f' });
    const width = await page.evaluate(() => {
      window.dispatchEvent(new Event('afterprint'));
      return document.getElementById('grid')!.offsetWidth;
    });
    assert.ok(width < 420);
  },
);

onPage(
  'what others have named is text',
  usual,
  async (page) => {
    assert.equal(await page.evaluate(() => 'pwned' in window), false);
    assert.equal(await page.locator('img, iframe, object').count(), 0);
    assert.match(await page.locator('#row-0 .name b').innerText(), /<\/script><img/);
    await page.locator('#row-0').click();
    assert.match(await page.locator('#details').innerText(), /<img src=x/);
  },
  'hostile',
);

checks['without a script the page says its verdict, and each workload with the reason'] = {
  scheme: 'light',
  async run(browser, files) {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`file://${files.simulation}`);
    assert.match(await page.locator('h1').innerText(), /^frankfurt fails: of 14 workloads 2 are lost/);
    const row = page.locator('#reasons tr', { hasText: 'data/sts/ledger' });
    assert.match(
      (await row.locator('td, th').allInnerTexts()).join(' '),
      /lost\s+data\/sts\/ledger\s+frankfurt×3\s+nowhere\s+3 permanently\s+\S/,
    );
    await context.close();
  },
};

onPage(
  'of twenty thousand workloads only those exist that can be seen, and the page stays under 10 MB',
  usual,
  async (page) => {
    assert.ok(statSync(large.file).size < 10e6);
    assert.match(await page.locator('.row-tools output').last().innerText(), /^20,000 of 20,000 workloads$/);
    assert.ok((await page.locator('.row').count()) < 60);
    await page.locator('#grid').focus();
    await page.keyboard.press('End');
    await page.waitForSelector('#row-19999[aria-selected="true"]');
    assert.ok((await page.locator('.row').count()) < 60);
    await page.locator('#search').fill('team-5/service-1945');
    await page.waitForFunction(() => document.querySelectorAll('.row').length < 12);
  },
  'large',
);

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

async function violations(page: Page): Promise<string[]> {
  // The page's policy forbids other scripts; the debugger may still run one.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations: found } = await (window as unknown as { axe: Axe }).axe.run({});
    return found.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html }) => html.slice(0, 160))
          .join(' ')}`,
    );
  });
}

async function takePicture({ page, complaints }: Opened, name: string, fullPage: boolean): Promise<void> {
  if (!pictures) return;
  const before = complaints.length;
  await page.screenshot({ path: join(pictures, `${name.replaceAll(/\W+/g, '-')}.png`), fullPage });
  // Playwright wants to style the page for its screenshot, which the policy forbids.
  complaints.length = before;
}

if (pictures) mkdirSync(pictures, { recursive: true });
const large = largePage(join(directory, 'large.html'), 20_000);
const files: Files = {
  large: large.file,
  simulation: report(
    'simulation.html',
    'failover',
    'simulate',
    '--state',
    'examples/shop',
    '--fail',
    'frankfurt',
  ),
  drain: report(
    'drain.html',
    'drain',
    'frankfurt',
    '--dry-run',
    '--allow-blocked',
    '--state',
    'examples/shop',
  ),
  state: report('state.html', 'timeline', '--state', 'examples/incident'),
  audit: report('audit.html', 'failover', 'audit', '--state', 'examples/shop'),
  hostile: hostilePage(join(directory, 'hostile.html')),
};
let passed = 0;
let failed = 0;
for (const tried of BROWSERS)
  for (const scheme of ['light', 'dark'] as const) {
    const browser = await tried.launch(scheme);
    for (const [name, check] of Object.entries(checks).filter(([, one]) => one.scheme === scheme))
      try {
        await check.run(browser, files, tried.name);
        passed++;
        console.log(`ok      ${tried.name}: ${name}`);
      } catch (error) {
        failed++;
        console.log(
          `FAILED  ${tried.name}: ${name}\n${error instanceof Error ? error.message : String(error)}`,
        );
      }
    await browser.close();
  }
rmSync(directory, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
