import { describe, expect, test } from '@jest/globals';
import type { Audit } from '../../../src/analysis/audit/audit.ts';
import type { AuditedWorkload } from '../../../src/analysis/audit/auditedWorkload.ts';
import { TROUBLES } from '../../../src/analysis/audit/trouble.ts';
import { plainNames } from '../../../src/karmada/configuration/inputNames.ts';
import type { WorkloadEvents } from '../../../src/analysis/audit/workloadEvents.ts';
import { objectKey } from '../../../src/karmada/objects/identities.ts';
import { auditPage } from '../../../src/views/audit/auditPage.ts';
import type { AuditInput } from '../../../src/views/audit/auditInput.ts';

/** An audit of this many workloads and clusters, in which five contingencies harm each workload. */
function largeAudit(workloads: number, clusters: number): Audit {
  const names = Array.from({ length: clusters }, (_, at) => `member-${at}`);
  const target = (kind: string, at: number) => ({
    apiVersion: 'apps/v1',
    kind,
    namespace: `team-${at % 97}`,
  });
  const audited = Array.from({ length: workloads }, (_, at): AuditedWorkload => {
    const trouble = TROUBLES[at % TROUBLES.length]!;
    const hit = Array.from({ length: 5 }, (__, more) => names[(at + more) % clusters]!);
    return {
      workload: { ...target('Deployment', at), name: `service-${at}` },
      binding: { kind: 'ResourceBinding', namespace: `team-${at % 97}`, name: `service-${at}-deployment` },
      clusters: [{ name: hit[0]!, replicas: 2 }],
      worst: {
        trouble,
        contingency: hit[0]!,
        outcome: 'lost',
        certainty: 'certain',
        after: [],
        cause: { code: 'spread-constraint', detail: 'minGroups 2 by region' },
      },
      troubles: hit.map((contingency) => ({ contingency, trouble })),
      downtime: { contingency: hit[0]!, seconds: null, replicas: 2 },
      secondHomes: [{ cluster: hit[1]!, room: 12 }],
      certainty: 'certain',
      dependsOn: [],
    };
  });
  return {
    asked: clusters,
    contingencies: names.map((name) => ({
      name,
      kind: 'cluster',
      clusters: [name],
      workloads: 40,
      outcomes: { lost: 40 },
      troubles: { lost: 40 },
      uncertain: 0,
      cost: {
        lost: 40,
        down: 40,
        blocked: 0,
        moves: 0,
        missingForGood: 0,
        missingPermanently: 0,
        missingReplicaMinutes: 0,
      },
    })),
    workloads: audited,
    clusters: names.map((name) => ({
      name,
      down: false,
      headroom: [
        { resource: 'cpu', allocatable: 100, free: 40, worst: { contingency: 'member-1', free: -5 } },
      ],
    })),
    causes: [],
    coverage: {
      workloads,
      covered: 0,
      coveredUncertain: 0,
      inTroubleNow: 0,
      inTroubleAnyway: 0,
      notPlaced: 0,
      targets: { asked: 0, met: 0 },
    },
  };
}

const page = (audit: Audit, courses?: WorkloadEvents[], taint?: AuditInput['taint']) =>
  [
    ...auditPage(
      {
        audit,
        courses,
        taint,
        now: 0,
        karmadaVersion: 'v1.18',
        assumptions: [],
        failover: { state: 'on', certainty: 'certain', reasons: [], uncovered: [] },
      } as unknown as AuditInput,
      plainNames as Parameters<typeof auditPage>[1],
    ),
  ].join('');

describe('the page of an audit', () => {
  test('shows the matrix of contingencies and workloads as text, without a script', () => {
    const html = page(largeAudit(3, 4));
    expect(html).toContain('<th scope="row">team-0/deployment/service-0</th>');
    expect(html).toContain('<td class="serious"><abbr title="lost">L</abbr></td>');
    expect(html).toMatch(/<meter [^>]*value="0"[^>]*>overcommitted by 5%<\/meter>/);
    expect(html).toContain('<script></script>');
    expect(html).not.toMatch(/ style="/);
  });

  test('reports a stopped audit in its headline', () => {
    const html = page({ ...largeAudit(3, 2), asked: 9 });
    expect(html).toMatch(/<h1>0 of 3 workloads survive each of 2 contingencies; .*\. Stopped after 2 of 9\./);
  });

  test('links a cell to its steps and their reason', () => {
    const audit = largeAudit(2, 2);
    const [{ binding, troubles }] = audit.workloads as [Audit['workloads'][number]];
    const { contingency } = troubles[0]!;
    const event = {
      time: 30_000,
      controller: 'scheduler',
      type: 'ScheduleFailed',
      message: 'no room',
      object: binding,
      evidence: [],
    };
    const html = page(audit, [
      { contingency, binding: objectKey(binding), events: [event] },
    ] as WorkloadEvents[]);
    expect(html).toContain('<td class="serious"><a href="#course-0"><abbr title="lost">L</abbr></a></td>');
    expect(html).toMatch(
      /<h3>If .* fails<\/h3>\n<details><summary>team-0\/deployment\/service-0: lost, minGroups 2 by region<.*id="course-0"/,
    );
    expect(html).toContain('not placed: no room');
    const taint = { key: 'upgrade', effect: 'NoExecute' } as const;
    const tainted = page(
      audit,
      [{ contingency, binding: objectKey(binding), events: [event] }] as WorkloadEvents[],
      taint,
    );
    expect(tainted).toMatch(/<h2>Taints and workloads at risk.*<h3>If .* is tainted<\/h3>/s);
    expect(tainted).not.toContain('fails');
    expect(html).toContain('<td class="serious"><abbr title="lost">L</abbr></td>');
  });

  test('escapes names of objects', () => {
    const [cluster] = largeAudit(1, 1).clusters;
    const audit = { ...largeAudit(1, 1), clusters: [{ ...cluster!, name: '<img src=x>' }] };
    expect(page(audit)).not.toContain('<img');
  });

  test('of 20,000 workloads on 500 clusters is under 10 MB, and counts hidden rows and columns', () => {
    const html = page(largeAudit(20_000, 500));
    expect(Buffer.byteLength(html)).toBeLessThan(10_000_000);
    expect(html).toContain('In the tables below: 19800 more workloads and 440 more contingencies.');
  });
});
