import { describe, expect, test } from '@jest/globals';
import { commands } from '../../src/commands/index.ts';
import { displayWidth } from '../../src/presentation/text/displayWidth.ts';
import { linesOnTerminal } from './cli.ts';

/*
 * Every command either answers in text, on a terminal of 24 lines of 80 columns with the verdict first and a command to run next, or
 * is listed in `WITHOUT` with the reason.
 */
const SIZE = { columns: 80, rows: 24 };
const SHOP = '--state examples/shop';
const INCIDENT = '--state examples/incident';
const RECORDING = '--state examples/incident.rec';

/** By command: lines to type, and the start of the answer. */
const ANSWERS: Readonly<Record<string, readonly (readonly [line: string, verdict: RegExp])[]>> = {
  cordon: [[`cordon oregon --dry-run ${INCIDENT}`, /oregon cordoned \(dry run\)/]],
  uncordon: [[`uncordon oregon dublin --dry-run ${INCIDENT}`, /oregon already uncordoned/]],
  doctor: [
    [
      `doctor ${SHOP}`,
      /^7 warnings, 3 notes.* tokyo has had the taint maintenance=kernel-upgrade:NoSchedule /,
    ],
    [`doctor ${INCIDENT}`, /^6 errors.* Deployment shop\/recommendations /],
    [`doctor ${RECORDING}`, /\d+ errors?/],
  ],
  lint: [
    [`lint -f test/fixtures/evicts.yaml ${SHOP}`, /^1 ClusterTaintPolicy in 1 file, .*: nothing found/],
    ['lint -f test/fixtures/taint-policies', /^6 ClusterTaintPolicies in 3 files, .*: 5 errors, 5 warnings/],
    [`lint -f test/fixtures/evicts.yaml --target-version proposal`, /^1 ClusterTaintPolicy .*: 1 error/],
  ],
  drain: [
    [`drain frankfurt --dry-run ${SHOP}`, /^Refused: 3 workloads cannot leave/],
    [`drain oregon --dry-run ${SHOP}`, /^oregon runs 3 workloads, 2 replicas/],
    [`drain dublin oregon --dry-run ${INCIDENT}`, /^Refused: 4 workloads cannot leave/],
  ],
  'eviction:cancel': [[`eviction cancel sts/ledger -n data --dry-run ${INCIDENT}`, /cancelled in data/]],
  'eviction:complete': [
    [`eviction complete deploy/queue -n data --dry-run ${INCIDENT}`, /completed in data/],
  ],
  'eviction:hold': [[`eviction hold sts/ledger -n data --dry-run ${INCIDENT}`, /held in data/]],
  'eviction:release': [
    [`eviction release deploy/queue -n data --dry-run ${INCIDENT}`, /released in data/],
    [`eviction release --all --from frankfurt -A --dry-run ${INCIDENT}`, /unchanged in shop/],
  ],
  'eviction:inspect': [
    [`eviction inspect ${SHOP}`, /^1 eviction: 1 held\./],
    [`eviction inspect ${INCIDENT}`, /^6 evictions: .* 2 lost/],
    [`eviction inspect deploy/queue -n data ${SHOP}`, /^1 eviction: 1 held\./],
    [`eviction inspect sts/ledger -n data ${INCIDENT}`, /^1 eviction: 1 stuck\. 1 lost\./],
    [`eviction inspect deploy/checkout -n shop ${INCIDENT}`, /^1 eviction: 1 waiting\./],
  ],
  'failover:audit': [
    [`audit ${SHOP}`, /^5 of 14 workloads survive each of 8 contingencies/],
    [`audit ${INCIDENT}`, /^3 of 14 workloads survive each of 8 contingencies/],
    [`audit --safe-together 2 ${SHOP}`, /^Safe to drain together, 3 choices/],
  ],
  'failover:diff': [
    [`diff --from v1.13 --to v1.18 ${SHOP}`, /^v1\.13 → v1\.18: 27 differences/],
    [`diff --from v1.13 --to v1.18 --fail frankfurt ${SHOP}`, /^v1\.13 → v1\.18: .*\d/],
    [`diff --from v1.18 --to v1.18 ${SHOP}`, /^v1\.18 → v1\.18: no difference in 5 scenarios/],
    [`diff --assume-to Failover=false --fail-region europe ${SHOP}`, /: 12 differences/],
  ],
  'failover:explain': [
    [`explain deploy/pricing -n shop ${SHOP}`, /^Deployment shop\/pricing, .*: stays/],
    [`explain deploy/storefront -n shop ${SHOP}`, /: stays on frankfurt×4/],
    [`explain deploy/storefront -n shop --if-fails frankfurt ${SHOP}`, /: moves from frankfurt×4/],
    [`explain deploy/pricing -n shop --if-fails frankfurt ${SHOP}`, /: blocked/],
    [`explain sts/ledger -n data ${INCIDENT}`, /: lost/],
    [`explain deploy/auth-8 -n data ${RECORDING}`, /: /],
  ],
  'failover:simulate': [
    [`simulate --fail frankfurt ${SHOP}`, /^frankfurt fails: 2 lost, 1 blocked/],
    [`simulate --fail oregon ${SHOP}`, /^oregon fails: 2 move in part/],
    [`simulate --fail frankfurt --gantt ${SHOP}`, /^frankfurt fails: 2 lost, 1 blocked/],
    [`simulate --fail frankfurt --timeline ${SHOP}`, /^frankfurt fails: 2 lost, 1 blocked/],
    [`simulate --fail-region europe ${INCIDENT}`, /^region europe fails \(dublin\): 4 lost/],
  ],
  'failover:status': [
    [`status ${SHOP}`, /^Cluster failover is on: .*5 clusters; 1 eviction/],
    [`status ${INCIDENT}`, /^Cluster failover is on: .*5 clusters; 1 not Ready/],
    [`status frankfurt ${SHOP}`, /^Cluster failover is on: .*frankfurt is Ready: 12 workloads, 33 replicas/],
    [`status frankfurt ${INCIDENT}`, /frankfurt is not Ready: .*If it stays not Ready: 2 lost/],
    [`status ${RECORDING}`, /^Cluster failover is on: .*6 clusters; 1 workload down/],
  ],
  'replay:check': [['replay check examples/incident.rec', /^23 workloads moved .* 22 as predicted/]],
  report: [
    ['report examples/incident.rec --out /dev/null', /\/dev\/null: What happened: fra1 was not Ready/],
  ],
  'snapshot:save': [[`snapshot save /dev/null ${SHOP}`, /^\/dev\/null: 5 clusters, 14 bindings/]],
  'taint-policy:apply': [
    [`taint-policy apply -f test/fixtures/evicts.yaml --dry-run ${SHOP}`, /^Refused: 1 policy to be created/],
    [
      `taint-policy apply -f test/fixtures/evicts.yaml --dry-run ${INCIDENT}`,
      /^Plan: 1 policy to be created/,
    ],
  ],
  'taint-policy:delete': [
    [`taint-policy delete evict-when-not-ready --dry-run ${SHOP}`, /^Plan: 1 policy to be deleted/],
    [
      `taint-policy delete evict-when-not-ready --dry-run ${INCIDENT}`,
      /^(Plan|Refused): 1 policy to be deleted/,
    ],
  ],
  'taint-policy:explain': [
    [`taint-policy explain ${SHOP}`, /^1 taint on 1 of 5 clusters/],
    [`taint-policy explain ${INCIDENT}`, /^3 taints on 2 of 5 clusters/],
    [`taint-policy explain --cluster frankfurt ${INCIDENT}`, /^2 taints on 1 of 1 cluster/],
    [`taint-policy explain evict-when-not-ready ${SHOP}`, /^0 taints on 0 of 5 clusters/],
  ],
  'taint-policy:validate': [
    [`taint-policy validate -f test/fixtures/evicts.yaml ${SHOP}`, /^1 ClusterTaintPolicy/],
  ],
  'taint-policy:list': [
    [`taint-policy list ${SHOP}`, /^2 ClusterTaintPolicies, 0 taints in force/],
    [`taint-policy list ${INCIDENT}`, /^2 ClusterTaintPolicies, 1 taint in force/],
  ],
  timeline: [
    [`timeline ${INCIDENT}`, /^What happened: frankfurt not Ready, 5 workloads evicted/],
    [`timeline deploy/checkout -n shop ${INCIDENT}`, /^What happened: /],
    [`timeline --from examples/shop ${INCIDENT}`, /^What happened: /],
    [`timeline ${RECORDING}`, /^What happened: fra1 not Ready/],
  ],
};

/** Commands whose output is no answer about a control plane, so no command follows. */
const WITHOUT: Readonly<Record<string, string>> = {
  completion: 'prints a script',
  'controller:manifests': 'prints manifests',
  'controller:run': 'runs until it is stopped',
  dashboard: 'a screen; without one, prompts with the commands',
  'exporter:manifests': 'prints manifests',
  'exporter:run': 'runs until it is stopped',
  options: 'a page of help',
  record: 'live; names the file that it writes, and the command that reads it',
  'taint-policy:convert': 'prints manifests, unless it writes files',
  version: 'versions alone',
};

test('every command is tested here, or listed with a reason', () => {
  const here = [...Object.keys(ANSWERS), ...Object.keys(WITHOUT)];
  expect(here.toSorted()).toEqual(Object.keys(commands).toSorted());
});

/** A command to paste. */
const COMMAND = /^\s*(?:kubectl|karmadactl) \S/;

describe(`on a terminal of ${SIZE.columns} × ${SIZE.rows}`, () => {
  test.each(Object.values(ANSWERS).flat())(
    '%s prints the verdict first, and a next command',
    (line, verdict) => {
      const { code, lines, taken, stdout } = linesOnTerminal(line.split(' '), SIZE);
      expect([0, 1]).toContain(code);
      const text = lines.join('\n');
      expect(stdout.split('\n').slice(0, 5).join(' ').replaceAll(/\s+/g, ' ')).toMatch(verdict);
      if (taken >= SIZE.rows) throw new Error(`${taken} lines:\n${text}`);
      const commandsToPaste = lines.filter((one) => COMMAND.test(one));
      if (commandsToPaste.length === 0) throw new Error(`no next command:\n${text}`);
      // a command is one line, however long, so that it can be pasted
      const tooWide = lines.filter((one) => !COMMAND.test(one) && displayWidth(one) > SIZE.columns);
      expect(tooWide).toEqual([]);
      const caveats = lines.filter((one) => /^(Assumed|Simulated|Reconstructed|Recorded)\b/.test(one));
      expect(caveats.length).toBeLessThanOrEqual(1);
    },
  );
});
