import { leastFirst } from './auditHeadroom.ts';
import { causeTree } from './auditCauses.ts';
import type { AuditedWorkload } from '../../analysis/audit/auditedWorkload.ts';
import type { WorkloadEvents } from '../../analysis/audit/workloadEvents.ts';
import type { AuditedContingency } from '../../analysis/audit/contingencies.ts';
import { TROUBLES } from '../../analysis/audit/trouble.ts';
import { objectKey } from '../../karmada/objects/identities.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { escaped, renderHtml } from '../../presentation/html/renderHtml.ts';
import { selfContained } from '../../presentation/html/selfContained.ts';
import { presentable } from '../../presentation/presentable.ts';
import type { Block, Presentation } from '../../presentation/model.ts';
import { plain } from '../../presentation/words.ts';
import type { Shown } from '../answer.ts';
import { assumptionBlocks } from '../assumptions.ts';
import { timelineStep } from '../simulation/simulation.ts';
import { pageStyle } from '../report/pageAssets.ts';
import { freeShare } from '../words/freeShare.ts';
import { plural } from '../words/amounts.ts';
import { shortWorkloadName, workloadName } from '../words/names.ts';
import type { AuditInput } from './auditInput.ts';
import { auditTables, worstContingenciesFirst, isAtRisk, auditVerdict } from './auditAnswer.ts';
import { causeText, contingencyTitle, resourcesShown, resourceText, troubleText } from './auditWords.ts';

/** The limits of the matrix, which is for a quick look: further rows and columns are in the tables below it. */
const MAX_ROWS = 200;
const MAX_COLUMNS = 60;

/** In addition to the style of all reports. */
const STYLE = `
.matrix { border-collapse: collapse; font-size: 12px; }
.matrix th { font-weight: normal; text-align: left; white-space: nowrap; padding: 1px 8px 1px 0; vertical-align: middle; }
.matrix thead th { vertical-align: bottom; }
.matrix thead span { writing-mode: vertical-rl; transform: rotate(180deg); }
.matrix :is(td, thead th + th) { min-width: 2em; padding: 3px 4px; text-align: center; }
.matrix td { border: 1px solid var(--grid); }
.matrix .serious { background: var(--bad); color: var(--paper); font-weight: bold; }
.matrix a { color: inherit; display: block; }
.matrix .partial { background: var(--raised); color: var(--ink); }
h3 { font-size: 15px; margin: 18px 0 4px; }
meter { width: 8em; }
@media print {
  .matrix .serious { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  /* paper has no clicks */
  details::details-content { content-visibility: visible; }
}
`;

/** For many rows. */
const STYLE_OF_MANY = `
/* tables of 20,000 rows are laid out once somebody scrolls to them */
@media screen {
  #courses,
  #headroom,
  #tables {
    content-visibility: auto;
    contain-intrinsic-size: auto 1200px;
  }
}
`;

/**
 * An audit as one page without a script: the verdict, a matrix of contingencies and workloads, headroom bars, causes
 * with helpful changes, and all tables.
 */
export function auditPage(input: AuditInput, names: Shown['names']): Generator<string> {
  const { audit, taint, now, karmadaVersion, assumptions } = input;
  const shown: Shown = { wide: true, noHeaders: false, names };
  const headline = plain(auditVerdict(input).words);
  const part = (id: string, title: string, html: string) =>
    html &&
    `<section id="${id}"><h2>${title}</h2>
<div class="tables" tabindex="0" role="region" aria-label="${title}">${html}</div></section>`;
  const body = `<a class="skip" href="#matrix">Skip to the contingencies</a>
<header>
<p class="kind">Karmada failover: Audit</p>
<h1>${escaped(presentable(headline))}</h1>
<p class="basis">${escaped(`As of ${rfc3339(now)}, as Karmada ${karmadaVersion} would act.`)}</p>
</header>
<main>
${part('matrix', `${taint ? 'Taints' : 'Failures'} and workloads at risk`, matrix(input))}
${part('causes', 'Causes, and what would help', html(causeTree(audit)))}
${part('courses', 'Step by step', courses(input))}
${part('headroom', 'Headroom, today and after the worst contingency', headroomTable(input))}
${part('tables', 'Workloads and contingencies', html(auditTables(input, shown)))}
${part('assumptions', 'Assumptions', html(assumptionBlocks(assumptions, shown)))}
</main>`;
  return selfContained({
    title: `Audit: ${headline}`,
    style: pageStyle + STYLE + (audit.workloads.length > MAX_ROWS ? STYLE_OF_MANY : ''),
    script: '',
    body,
    data: [],
  });
}

function html(blocks: readonly Block[]): string {
  return renderHtml({ blocks: [...blocks] } satisfies Presentation);
}

/** A row for each workload at risk, a column for each contingency that harms one; letters as well as colours. */
function matrix({ audit, courses = [] }: AuditInput): string {
  const { contingencies, workloads } = audit;
  const harmful = worstContingenciesFirst(contingencies).filter(
    ({ troubles }) => Object.keys(troubles).length > 0,
  );
  const rows = workloads.filter((one) => isAtRisk(one) && one.troubles.length > 0);
  if (rows.length === 0) return '<p>No contingency puts a workload at risk.</p>';
  const columns = harmful.slice(0, MAX_COLUMNS);
  const places = placesOf(courses);
  const left = [
    ...(rows.length > MAX_ROWS ? [plural(rows.length - MAX_ROWS, 'more workload')] : []),
    ...(harmful.length > MAX_COLUMNS ? [`${harmful.length - MAX_COLUMNS} more contingencies`] : []),
  ];
  return `<p>${TROUBLES.map((one) => `<b>${letterOf(one)}</b> ${troubleText(one)}`).join(' &#183; ')}</p>
<table class="matrix"><thead><tr><th scope="col">Workload</th>${columns.map(headOf).join('')}</tr></thead>
<tbody>${rows
    .slice(0, MAX_ROWS)
    .map((row) => rowOf(row, columns, places))
    .join('\n')}</tbody></table>
${left.length > 0 ? `<p>In the tables below: ${left.join(' and ')}.</p>` : ''}`;
}

const headOf = ({ name }: AuditedContingency): string =>
  `<th scope="col"><span>${escaped(presentable(name))}</span></th>`;

/** The element ids of the courses on the page, by what they show. */
function placesOf(courses: readonly WorkloadEvents[]): ReadonlyMap<string, string> {
  return new Map(
    courses.map(({ binding, contingency }, at) => [`${binding} ${contingency}`, `course-${at}`]),
  );
}

function rowOf(
  { workload, binding, troubles }: AuditedWorkload,
  columns: readonly AuditedContingency[],
  places: ReadonlyMap<string, string>,
): string {
  const by = new Map(troubles.map(({ contingency, trouble }) => [contingency, trouble]));
  const cells = columns.map(({ name }) => {
    const trouble = by.get(name);
    if (!trouble) return '<td></td>';
    const serious = trouble !== 'partly-moves' && trouble !== 'without-state';
    const letter = `<abbr title="${troubleText(trouble)}">${letterOf(trouble)}</abbr>`;
    const place = places.get(`${objectKey(binding)} ${name}`);
    const linked = place === undefined ? letter : `<a href="#${place}">${letter}</a>`;
    return `<td class="${serious ? 'serious' : 'partial'}">${linked}</td>`;
  });
  return `<tr><th scope="row">${escaped(presentable(workloadName(workload)))}</th>${cells.join('')}</tr>`;
}

function letterOf(trouble: (typeof TROUBLES)[number]): string {
  return { lost: 'L', down: 'D', blocked: 'B', flaps: 'F', 'without-state': 'S', 'partly-moves': 'P' }[
    trouble
  ];
}

/** Step by step, collapsed, with the reason for the worst: browsers expand the target of a link. */
function courses({ audit, taint, courses: all = [], now }: AuditInput): string {
  const workloads = new Map(audit.workloads.map((one) => [objectKey(one.binding), one]));
  return all
    .map(({ contingency, binding, events }, at) => {
      const { workload, troubles, worst } = workloads.get(binding)!;
      const { trouble } = troubles.find((one) => one.contingency === contingency)!;
      const why = worst?.contingency === contingency ? `, ${causeText(worst.cause)}` : '';
      const title = `${workloadName(workload)}: ${troubleText(trouble)}${why}`;
      const steps = events.map((event) => timelineStep(event, now, false));
      const heading =
        contingency === all[at - 1]?.contingency
          ? ''
          : `<h3>${escaped(presentable(`If ${contingency} ${taint ? 'is tainted' : 'fails'}`))}</h3>\n`;
      return `${heading}<details><summary>${escaped(presentable(title))}</summary><div id="course-${at}">${html([{ type: 'timeline', steps }])}</div></details>`;
    })
    .join('\n');
}

/** Meter elements need neither a script nor a style. */
function headroomTable({ audit: { clusters }, taint }: AuditInput): string {
  const reported = leastFirst(clusters).filter(({ headroom }) => headroom.length > 0);
  if (reported.length === 0) return '';
  const bar = (share: number, of: string) => {
    const percent = Math.floor(share * 100);
    return `<meter min="0" max="100" low="10" high="25" optimum="100" value="${Math.max(0, percent)}" aria-label="${escaped(of)}">${freeShare(share, 1)}</meter> ${freeShare(share, 1)}`;
  };
  const rows = reported.flatMap(({ name, headroom }) =>
    resourcesShown(reported).flatMap((resource) => {
      const one = headroom.find((each) => each.resource === resource);
      if (!one || one.allocatable <= 0) return [];
      const { allocatable, free, worst, workload } = one;
      const of = workload
        ? `${resourceText(resource)}, ${shortWorkloadName(workload)}`
        : resourceText(resource);
      const cluster = escaped(presentable(name));
      const after = worst
        ? bar(worst.free / allocatable, `${presentable(name)}, ${resource}, after the worst`)
        : '';
      return `<tr><th scope="row">${cluster}</th><td>${escaped(presentable(of))}</td><td>${bar(free / allocatable, `${presentable(name)}, ${resource}, today`)}</td><td>${after}</td><td>${escaped(presentable(worst?.contingency ?? ''))}</td></tr>`;
    }),
  );
  return `<table><thead><tr>${['Cluster', 'Resource', 'Free today', 'After the worst', contingencyTitle(taint).replace('if', 'If')].map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
}
