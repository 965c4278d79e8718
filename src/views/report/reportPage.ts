import { cureNodes } from '../audit/auditCauses.ts';
import type { Cures } from '../../analysis/audit/cures.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { escaped, renderHtml } from '../../presentation/html/renderHtml.ts';
import { selfContained } from '../../presentation/html/selfContained.ts';
import { plain } from '../../presentation/words.ts';
import { jsonText } from '../forms/jsonText.ts';
import { packedReport, type PackedInput } from './packedReport.ts';
import { reasonBlocks } from './reasons.ts';
import { pageScript, pageStyle } from './pageAssets.ts';
import { DATA_ID, DOCUMENT_ID } from './reportData.ts';

interface TitledTables {
  /** of the element on the page */
  id: string;
  title: string;
  blocks: readonly Block[];
}

interface ReportInput extends PackedInput {
  /** the kind of report: "Simulation", "Drain plan" */
  kind: string;
  /** the whole report in one sentence */
  verdict: Words;
  /** its basis: when, which version */
  basis: Words;
  /** the totals, right below the verdict */
  summary: readonly Block[];
  /** the clusters before and after; empty: only curves, which need a script */
  placement: readonly Block[];
  /** more tables, with their title */
  tables?: TitledTables;
  /** changes proven to help by a simulation; empty: none searched */
  cures?: readonly Cures[];
  assumptions: readonly Block[];
  /** the whole answer, as -o json prints it */
  document: object;
}

/** A report as one HTML file, in pieces. Everything that needs no script is readable without one. */
export function reportPage(input: ReportInput): Generator<string> {
  const { kind, verdict, basis, summary, placement, tables, cures = [], assumptions, document } = input;
  const reasonsTitle = input.fates.length > 0 ? 'Workloads and reasons' : 'Workloads in detail';
  const body = `<a class="skip" href="#workloads">Skip to the workloads</a>
<header>
<p class="kind">Karmada failover: ${escaped(kind)}</p>
<h1>${escaped(plain(verdict))}</h1>
<p class="basis">${escaped(plain(basis))}</p>
<div class="tables summary" tabindex="0" role="region" aria-label="Summary">${renderHtml({ blocks: summary })}</div>
<p class="actions"><button type="button" id="save" hidden>Save the JSON</button> <button type="button" id="print" hidden>Print</button></p>
</header>
<main>
<section id="clusters" aria-labelledby="clusters-title"${placement.length === 0 ? ' hidden' : ''}><h2 id="clusters-title">Clusters</h2>
<div id="curves"></div>
${placement.length === 0 ? '' : `<div class="tables" tabindex="0" role="region" aria-label="Clusters before and after">${renderHtml({ blocks: placement })}</div>`}
</section>
${tables && tables.blocks.length > 0 ? tablesHtml(tables) : ''}
<section id="workloads" aria-labelledby="workloads-title" hidden><h2 id="workloads-title">Workloads</h2>
<div id="tools" hidden></div>
<div id="timeline" hidden></div>
</section>
${remediesHtml(cures)}
<section id="reasons" class="on-paper" aria-labelledby="reasons-title"><h2 id="reasons-title">${reasonsTitle}</h2>
<div class="tables" tabindex="0" role="region" aria-label="${reasonsTitle}">${renderHtml({ blocks: reasonBlocks(input) })}</div>
</section>
<section id="assumptions" aria-labelledby="assumptions-title"><h2 id="assumptions-title">Assumptions and unknowns</h2>
${renderHtml({ blocks: assumptions }) || '<p>Nothing.</p>'}
</section>
</main>
<aside id="details" aria-label="Why" hidden></aside>`;
  return selfContained({
    title: `${kind}: ${plain(verdict)}`,
    style: pageStyle,
    script: pageScript,
    body,
    data: [
      { id: DATA_ID, text: [JSON.stringify(packedReport(input))] },
      { id: DOCUMENT_ID, text: jsonText(document) },
    ],
  });
}

function tablesHtml({ id, title, blocks }: TitledTables): string {
  return `<section id="${id}"><h2>${title}</h2>
<div class="tables" tabindex="0" role="region" aria-label="${title}">${renderHtml({ blocks })}</div>
</section>`;
}

function remediesHtml(cures: readonly Cures[]): string {
  if (cures.length === 0) return '';
  const nodes = cures.flatMap((one) => cureNodes(one));
  return tablesHtml({ id: 'remedies', title: 'What would help', blocks: [{ type: 'tree', nodes }] });
}
