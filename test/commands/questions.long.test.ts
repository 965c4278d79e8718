import { describe, expect, test } from '@jest/globals';
import { linesOnTerminal } from './cli.ts';

/*
 * What operators ask: one command each, on a terminal of 24 lines of 80 columns, and the words of the answer are on it.
 */
const SHOP = '--state examples/shop';
const INCIDENT = '--state examples/incident';
const RECORDING = '--state examples/incident.rec';

const QUESTIONS: readonly (readonly [question: string, line: string, ...words: (string | RegExp)[]])[] = [
  [
    'which workloads are at risk if one cluster fails?',
    `audit ${SHOP}`,
    /^5 of 14 workloads survive/m,
    /^lost +data\/sts\/ledger +frankfurt/m,
  ],
  [
    'why does it not move?',
    `explain deploy/pricing -n shop --if-fails frankfurt ${SHOP}`,
    ': blocked, frankfurt×2 cannot be rescheduled',
    'cannot be rescheduled: fewer regions have a suitable cluster than minGroups requires',
  ],
  [
    'why does it not move to that cluster?',
    `explain deploy/pricing -n shop --if-fails frankfurt --cluster dublin ${SHOP}`,
    /^Why not dublin\? It does not pass the filters\.\n/,
    /✗ +ClusterAffinity +not named in clusterNames/,
  ],
  [
    'what if a region is lost?',
    `simulate --fail-region europe ${SHOP}`,
    /^region europe fails \(dublin, frankfurt\): 4 lost, 2 blocked/m,
    /^lost +data\/sts\/ledger/m,
  ],
  [
    'can I drain these two?',
    `drain frankfurt dublin --dry-run ${SHOP}`,
    /^Refused: 7 workloads cannot leave/m,
    '--allow-blocked',
  ],
  [
    'why is an eviction stuck, and what happens at its deadline?',
    `eviction inspect ${INCIDENT}`,
    /^data\/sts\/ledger +frankfurt +nowhere +in 8m37s +lost/m,
    'stuck, waits for a cluster to move to: NoClusterFit',
  ],
  [
    'what does an upgrade change?',
    `diff --from v1.13 --to v1.18 ${SHOP}`,
    /^v1\.13 → v1\.18: 27 differences in 4 of 5 scenarios/m,
    /^frankfurt +data\/sts\/ledger +lost +5m37s → 35s$/m,
  ],
  [
    'what does a new policy do?',
    `taint-policy apply -f test/fixtures/evicts.yaml --dry-run ${SHOP}`,
    /^Refused: 1 policy to be created/m,
    '2 lost',
    'frankfurt   gains example.com/evicts:NoExecute',
  ],
  [
    'what happened last night?',
    `timeline --since 12h ${INCIDENT}`,
    'What happened: frankfurt not Ready, 6 workloads evicted',
    /^shop\/deploy\/checkout +frankfurt +virginia×6/m,
  ],
  [
    'what changed between two snapshots?',
    `timeline --from examples/shop ${INCIDENT}`,
    'What happened: frankfurt not Ready, 5 workloads evicted',
    /^EVICTED.+\nshop\/deploy\/recommendations +frankfurt +nowhere/m,
    'explain shop/deployment/recommendations',
  ],
  ['how much headroom is there?', `status ${SHOP}`, 'free: 75% of cpu, 83% of memory, 91% of pods'],
  ['is failover on?', `status ${SHOP}`, 'Cluster failover is on'],
  [
    'how can it survive a failure?',
    `explain deploy/pricing -n shop ${SHOP}`,
    'What would help if frankfurt fails:',
    'kubectl patch propagationpolicy pricing -n shop',
  ],
  [
    'which workloads have no other cluster?',
    `audit ${SHOP}`,
    /^lost +data\/sts\/ledger .* no other cluster$/m,
  ],
  [
    'which cluster has the least headroom?',
    `audit ${SHOP}`,
    'Least headroom: frankfurt 0% resource models',
    'no free capacity',
  ],
  [
    'which two can I drain tonight?',
    `audit --safe-together 2 ${SHOP}`,
    'Safe to drain together, 3 choices:',
    'dublin + oregon',
    'drain dublin oregon',
  ],
  // the same in the middle of an incident, and of a recording
  [
    'which workloads are at risk?',
    `audit ${INCIDENT}`,
    /^3 of 14 workloads survive each of 8 contingencies/m,
    'explain data/statefulset/ledger --state=',
    /^AT WORST.+\nlost now +data\/sts\/ledger.+ no other cluster$/m,
  ],
  [
    'what if a region is lost?',
    `simulate --fail-region europe ${INCIDENT}`,
    /^region europe fails \(dublin\): 4 lost, 2 blocked/m,
  ],
  [
    'why does it not move?',
    `explain sts/ledger -n data ${INCIDENT}`,
    ': lost',
    'kubectl patch propagationpolicy',
  ],
  [
    'why does it not move to that cluster?',
    `explain sts/ledger -n data --cluster dublin ${INCIDENT}`,
    /^Why not dublin\? It does not pass the filters\.\n/,
  ],
  [
    'can I drain these two?',
    `drain dublin oregon --dry-run ${INCIDENT}`,
    'Refused: 4 workloads cannot leave',
  ],
  ['why does an eviction wait?', `eviction inspect ${SHOP}`, '1 eviction: 1 held.', 'waits for an operator'],
  [
    'what does an upgrade change?',
    `diff --from v1.13 --to v1.18 ${INCIDENT}`,
    /^dublin fails +data\/sts.+ lost\? +5m37s → -/m,
  ],
  [
    'what does a new policy do?',
    `taint-policy apply -f test/fixtures/evicts.yaml --dry-run ${INCIDENT}`,
    'Plan: 1 policy to be created',
    'leaves after 0s',
  ],
  [
    'what happened last night?',
    `timeline --since 12h ${RECORDING}`,
    'What happened: fra1 not Ready, 23 workloads evicted',
    /^ +\S+ +(?:taint-manager +)?14 workloads evicted from ams1/m,
  ],
  [
    'is failover on, and which workloads are down?',
    `status ${RECORDING}`,
    'Cluster failover is on',
    '1 workload down',
  ],
];

describe('one screen of 80 × 24', () => {
  test.each(QUESTIONS)('answers "%s" with %s', (_, line, ...words) => {
    const { lines, taken } = linesOnTerminal(line.split(' '), { columns: 80, rows: 24 });
    expect(taken).toBeLessThan(24);
    const text = lines.join('\n');
    for (const one of words)
      if (typeof one === 'string')
        expect(text.replaceAll(/\s+/g, ' ')).toContain(one.replaceAll(/\s+/g, ' '));
      else expect(text).toMatch(one);
  });
});
