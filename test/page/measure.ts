import { chromium } from 'playwright-core';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openReport } from './openedReport.ts';
import { largePage } from './largePage.ts';

/**
 * Measures a report of 20,000 workloads and 100,000 spans by Chromium's tracing: its size, the first paint, when it is drawn, and frame
 * times while it is scrolled and brushed. node scripts/run-ts.mjs test/page/measure.ts
 */
interface TraceEvent {
  name: string;
  ts: number;
}

const directory = mkdtempSync(join(tmpdir(), 'measure-'));
const { file, bytes, spans } = largePage(join(directory, 'large.html'), 20_000);
console.log(`${(bytes / 1e6).toFixed(1)} MB for ${spans} spans`);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
const trace = join(directory, 'trace.json');
await browser.startTracing(undefined, {
  path: trace,
  categories: ['devtools.timeline', 'loading', 'blink.user_timing'],
});
const { page, close } = await openReport(browser, file, { width: 1440, height: 1000, scheme: 'light' });
const { paint, drawn } = await page.evaluate(() => ({
  paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  drawn: performance.now(),
}));
const scrolled = await page.evaluate(async () => {
  const grid = document.getElementById('grid')!;
  const frames: number[] = [];
  let last = performance.now();
  for (let i = 0; i < 120; i++) {
    grid.scrollTop += 900;
    await new Promise((next) => requestAnimationFrame(next));
    const now = performance.now();
    frames.push(now - last);
    last = now;
  }
  return frames.sort((a, b) => a - b);
});
await page.locator('#curves > button').click();
await page.locator('.overview').scrollIntoViewIfNeeded();
const brushed = await page.evaluate(async () => {
  const strip = document.querySelector('.overview')!;
  const { left, width, top } = strip.getBoundingClientRect();
  const point = (type: string, share: number) =>
    strip.dispatchEvent(
      new PointerEvent(type, {
        pointerId: 1,
        clientX: left + share * width,
        clientY: top + 9,
        bubbles: true,
      }),
    );
  strip.setPointerCapture = () => undefined;
  const frames: number[] = [];
  let last = performance.now();
  for (let i = 0; i < 120; i++) {
    // ten pointer moves, then the part is shown, with all bars and all 500 curves
    if (i % 12 === 0) point('pointerdown', 0.1 + i / 400);
    else if (i % 12 === 11) point('pointerup', 0.6 + i / 400);
    else point('pointermove', 0.1 + i / 400 + (i % 12) * 0.04);
    await new Promise((next) => requestAnimationFrame(next));
    const now = performance.now();
    frames.push(now - last);
    last = now;
  }
  return frames.sort((a, b) => a - b);
});
await browser.stopTracing();
const { traceEvents } = JSON.parse(readFileSync(trace, 'utf8')) as { traceEvents: TraceEvent[] };
const started = Math.min(...traceEvents.filter(({ name }) => name === 'navigationStart').map(({ ts }) => ts));
const painted = traceEvents.find(({ name }) => name === 'firstContentfulPaint')?.ts;
function framesText(frames: readonly number[]): string {
  const at = (share: number) => frames[Math.floor((frames.length - 1) * share)]!.toFixed(1);
  // by more than one frame at 60 Hz
  const late = frames.filter((one) => one > 34).length;
  return `median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms, ${late} of ${frames.length} late`;
}
console.log(
  `first contentful paint ${paint?.toFixed(0)} ms, by the trace ${painted === undefined ? '?' : ((painted - started) / 1000).toFixed(0)} ms`,
);
console.log(`drawn after ${drawn.toFixed(0)} ms`);
console.log(`a frame while scrolling: ${framesText(scrolled)}`);
console.log(`a frame while brushing, with all curves: ${framesText(brushed)}`);
await close();
await browser.close();
rmSync(directory, { recursive: true });
