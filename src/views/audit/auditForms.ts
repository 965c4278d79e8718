import { breachText } from './auditGate.ts';
import { isCovered, meetsTarget } from '../../analysis/audit/auditedWorkload.ts';
import { judgedKey } from '../../analysis/audit/gate.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { plain } from '../../presentation/words.ts';
import { markdownCell, markdownPage, markdownTable } from '../forms/markdown.ts';
import { escaped } from '../../presentation/html/renderHtml.ts';
import { workloadName } from '../words/names.ts';
import type { AuditInput } from './auditInput.ts';
import { contingencyName, newTroubles, auditVerdict, whyText } from './auditAnswer.ts';
import {
  causeText,
  downtimeText,
  headroomWords,
  resourcesShown,
  homesText,
  contingencyTitle,
  troubleText,
} from './auditWords.ts';

/** Forms that only an audit has. */
export function auditForms(input: AuditInput): Record<string, () => string> {
  return { markdown: () => auditMarkdown(input), junit: () => auditJunit(input) };
}

/** An audit as Markdown, for an issue or a change request. */
function auditMarkdown(input: AuditInput): string {
  const { audit, taint, gate, now, assumptions } = input;
  const { workloads, contingencies, clusters, causes } = audit;
  const names = namesOf(workloads);
  return markdownPage(assumptions, [
    `## Failover audit, ${rfc3339(now)}`,
    ...(gate
      ? [
          gate.breaches.length === 0
            ? 'The gate passes.'
            : `The gate fails:\n\n${gate.breaches.map((one) => `- ${markdownCell(breachText(one, names))}`).join('\n')}`,
        ]
      : []),
    markdownCell(plain(auditVerdict(input).words)),
    '### Workloads at risk',
    markdownTable(
      ['workload', 'at worst', contingencyTitle(taint), 'downtime', 'why', 'can move to'],
      workloads
        .filter((one) => one.worst !== undefined || meetsTarget(one) === false)
        .map((one) => [
          workloadName(one.workload),
          one.worst ? troubleText(one.worst.trouble) : 'misses its target',
          one.worst?.contingency ?? one.downtime?.contingency ?? '',
          downtimeText(one.downtime),
          whyText(one),
          homesText(one.secondHomes),
        ]),
    ),
    '### Causes',
    markdownTable(
      ['cause', 'workloads', 'at worst', 'what would help'],
      causes.map((cause) => [
        causeText(cause),
        cause.workloads.map(workloadName).join(', '),
        troubleText(cause.trouble),
        cause.cures?.changes.map(({ text }) => text).join('; or ') ?? '',
      ]),
    ),
    '### Contingencies',
    markdownTable(
      [contingencyTitle(taint), 'workloads', 'trouble', 'replica-minutes down'],
      contingencies.map((one) => [
        contingencyName(one),
        String(one.workloads),
        plain(newTroubles(one)),
        String(one.cost.missingReplicaMinutes),
      ]),
    ),
    '### Headroom, today → after the worst contingency',
    markdownTable(
      ['cluster', ...resourcesShown(clusters)],
      clusters.map(({ name, headroom }) => [
        name,
        ...resourcesShown(clusters).map((resource) => plain(headroomWords(headroom, resource))),
      ]),
    ),
  ]);
}

/** An audit as JUnit XML: a case per workload, a failure per breach of the gate; without a gate, per uncovered workload. */
function auditJunit({ audit, gate }: AuditInput): string {
  const { workloads } = audit;
  const names = namesOf(workloads);
  const breaches = new Map<string, string[]>();
  for (const one of gate?.breaches ?? []) {
    const key = 'workload' in one ? one.workload : `Cluster ${one.cluster}`;
    breaches.set(key, [...(breaches.get(key) ?? []), breachText(one, names)]);
  }
  const cases = [
    ...workloads.map((one) => {
      const failures = gate
        ? (breaches.get(judgedKey(one.workload)) ?? [])
        : isCovered(one)
          ? []
          : [`${one.worst ? troubleText(one.worst.trouble) : 'in trouble without further failures'}`];
      return { suite: one.workload.kind, name: workloadName(one.workload), failures };
    }),
    ...audit.clusters.map(({ name }) => ({
      suite: 'Cluster',
      name,
      failures: breaches.get(`Cluster ${name}`) ?? [],
    })),
  ];
  const failed = cases.filter(({ failures }) => failures.length > 0).length;
  const counts = `tests="${cases.length}" failures="${failed}" errors="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="kubectl-karmada-failover" ${counts}>`,
    `  <testsuite name="failover audit" ${counts} skipped="0">`,
    ...cases.map(({ suite, name, failures }) => {
      const opened = `    <testcase classname="${escaped(suite)}" name="${escaped(name)}"`;
      if (failures.length === 0) return `${opened}/>`;
      const lines = failures.map((text) => `      <failure type="audit" message="${escaped(text)}"/>`);
      return [`${opened}>`, ...lines, '    </testcase>'].join('\n');
    }),
    '  </testsuite>',
    '</testsuites>\n',
  ].join('\n');
}

function namesOf(workloads: AuditInput['audit']['workloads']): ReadonlyMap<string, string> {
  return new Map(workloads.map(({ workload }) => [judgedKey(workload), workloadName(workload)]));
}
