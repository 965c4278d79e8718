import { DATA_ID, DOCUMENT_ID, type ReportData } from '../views/report/reportData.ts';
import { createScale } from './axis.ts';
import type { Choice } from './choice.ts';
import { showCurves } from './curves.ts';
import { createDetails } from './details.ts';
import { byId, element } from './elements.ts';
import { modelOf, openingView } from './model.ts';
import { showTimeline } from './timeline.ts';
import { showTools } from './tools.ts';

/** Draws the report embedded in the page. */
async function start(): Promise<void> {
  // without scripts, tables show the same
  for (const id of ['clusters', 'workloads']) byId(id).hidden = false;
  const data = JSON.parse(await unpacked(DATA_ID)) as ReportData;
  const model = modelOf(data);
  const scale = createScale(data.length);
  const eventful = model.rows.some((row) => row.eventful);
  const choice: Choice = { text: '', of: eventful ? 'eventful' : 'all', by: 'outcome', reversed: false };
  const list = () => tools.count(timeline.list());
  const tools = showTools(model, scale, choice, list);
  const details = createDetails(model, () => timeline.focus());
  const timeline = showTimeline(model, scale, choice, () => details, list);
  const drawCurves = showCurves(model, scale);
  list();
  const { from, to } = openingView(model);
  scale.show(from, to);
  const redraw = () => {
    tools.redraw();
    timeline.redraw();
    drawCurves();
  };
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  window.addEventListener('resize', drawCurves);
  offerActions(data.file);
  document.documentElement.dataset.ready = 'true';
}

function offerActions(file: string): void {
  const save = byId('save');
  save.hidden = false;
  save.addEventListener('click', () => void saveDocument(file));
  const print = byId('print');
  print.hidden = false;
  print.addEventListener('click', () => window.print());
}

async function saveDocument(file: string): Promise<void> {
  const url = URL.createObjectURL(new Blob([await unpacked(DOCUMENT_ID)], { type: 'application/json' }));
  const link = element('a', { href: url, download: file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

start().catch((error: unknown) => {
  const text = `This page could not be drawn: ${error instanceof Error ? error.message : String(error)}`;
  byId('workloads').append(element('p', { class: 'tone-bad', role: 'alert' }, text));
});

/** The compressed text in an element of the page. */
async function unpacked(id: string): Promise<string> {
  const packed = document.getElementById(id)?.textContent ?? '';
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return await new Response(stream).text();
}
