import { describe, expect, test } from '@jest/globals';
import type { Evidence } from '../../../src/karmada/evidence.ts';
import { taintEvictionPurgeMode } from '../../../src/karmada/taints/evictionPurgeMode.ts';
import {
  evictsByTaints,
  mayEvict,
  startsTaintManager,
  taintEvictionSwitches,
} from '../../../src/karmada/configuration/taintEviction.ts';
import { enqueueDecision, evictionDue, processTaintedPair } from '../../../src/karmada/taints/taintedPair.ts';
import type { FailoverBehavior } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';

const now = Date.UTC(2026, 2, 14);

interface Switches {
  failover?: boolean;
  manager?: boolean;
  noExecute?: boolean;
  graceful?: boolean;
  stateful?: boolean;
  flag?: 'Gracefully' | 'Directly';
}

/** A control plane of a version with these gates and flags, all on unless set otherwise. */
const of = (version: string, switches: Switches = {}) => {
  const { failover = true, manager = true, noExecute = true, graceful = true, stateful = false } = switches;
  return {
    rules: dialectOf(version).dialect.rules,
    featureGates: { Failover: failover, GracefulEviction: graceful, StatefulFailoverInjection: stateful },
    controllerManager: {
      controllers: '*',
      'enable-taint-manager': manager,
      'enable-no-execute-taint-eviction': noExecute,
      'no-execute-taint-eviction-purge-mode': switches.flag ?? 'Gracefully',
    } as const,
  };
};

describe('eviction by NoExecute taints', () => {
  test('requires only the flag enable-taint-manager in v1.13', () => {
    expect(taintEvictionSwitches(of('v1.13.10', { failover: false }))).toEqual([
      { name: 'enable-taint-manager', on: true },
    ]);
    expect(evictsByTaints(of('v1.13.10', { failover: false, noExecute: false }))).toBe(true);
    expect(evictsByTaints(of('v1.13.10', { manager: false }))).toBe(false);
  });

  test('requires the gate Failover and both taint eviction flags in v1.18', () => {
    expect(taintEvictionSwitches(of('v1.18.2', { noExecute: false }))).toEqual([
      { name: 'Failover', on: true },
      { name: 'enable-taint-manager', on: true },
      { name: 'enable-no-execute-taint-eviction', on: false },
    ]);
    expect(evictsByTaints(of('v1.18.2'))).toBe(true);
    for (const off of [{ failover: false }, { manager: false }, { noExecute: false }])
      expect(evictsByTaints(of('v1.18.2', off))).toBe(false);
  });

  test('starts the taint manager with the gate Failover, even without enable-no-execute-taint-eviction', () => {
    expect([startsTaintManager, mayEvict].map((asked) => asked(of('v1.18.2', { noExecute: false })))).toEqual(
      [true, false],
    );
    expect([startsTaintManager, mayEvict].map((asked) => asked(of('v1.18.2', { failover: false })))).toEqual([
      false,
      true,
    ]);
  });
});

const taints = [{ key: 'net', effect: 'NoExecute' as const, timeAdded: rfc3339(now - 100_000) }];
const tolerating = (seconds: number) =>
  JSON.stringify({ clusterTolerations: [{ key: 'net', operator: 'Exists', tolerationSeconds: seconds }] });
const binding = (
  kind: 'ResourceBinding' | 'ClusterResourceBinding',
  applied: string | undefined = '{}',
  failover?: FailoverBehavior,
): ResourceBinding => ({
  kind,
  metadata: {
    name: 'web-deployment',
    annotations: applied === '' ? {} : { 'policy.karmada.io/applied-placement': applied },
  },
  spec: {
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    clusters: [{ name: 'm1', replicas: 2 }],
    ...(failover && { failover }),
  },
});

describe('the purge mode of an eviction task', () => {
  const modeOf = (version: string, switches: Switches, one = binding('ResourceBinding')) => {
    const evidence: Evidence[] = [];
    const mode = taintEvictionPurgeMode(one, of(version, switches), evidence);
    return [mode, ...evidence.map(({ field, value }) => `${field}=${String(value)}`)];
  };

  test('is unset in v1.11, where the gate GracefulEviction decides whether a task is created', () => {
    expect(modeOf('v1.11.6', {})).toEqual([undefined, 'GracefulEviction=true']);
    expect(modeOf('v1.11.6', { graceful: false })).toEqual(['withoutTask', 'GracefulEviction=false']);
  });

  test('depends on the gate GracefulEviction in v1.13', () => {
    expect(modeOf('v1.13.10', {})).toEqual(['Graciously', 'GracefulEviction=true']);
    expect(modeOf('v1.13.10', { graceful: false })).toEqual(['Immediately', 'GracefulEviction=false']);
  });

  test('depends on the flag in v1.14, as Graciously or Immediately', () => {
    const flag = 'no-execute-taint-eviction-purge-mode';
    expect(modeOf('v1.14.5', {})).toEqual(['Graciously', `${flag}=Gracefully`]);
    expect(modeOf('v1.14.5', { flag: 'Directly' })).toEqual(['Immediately', `${flag}=Directly`]);
  });

  test('depends on the gate GracefulEviction for ClusterResourceBindings in v1.14.0', () => {
    const cluster = binding('ClusterResourceBinding');
    expect(modeOf('v1.14.0', {}, cluster)[0]).toBe('Graciously');
    expect(modeOf('v1.14.0', { graceful: false }, cluster)[0]).toBe('Immediately');
    expect(modeOf('v1.14.0', { graceful: false, flag: 'Gracefully' })[0]).toBe('Graciously');
  });

  test('is the mode of failover.cluster in v1.18, by default Gracefully, else the mode of the flag', () => {
    const field = 'spec.failover.cluster.purgeMode';
    const by = (failover: FailoverBehavior | undefined) =>
      modeOf('v1.18.2', { flag: 'Directly' }, binding('ResourceBinding', '{}', failover));
    expect(by({ cluster: { purgeMode: 'Never' } })).toEqual(['Never', `${field}=Never`]);
    expect(by({ cluster: {} })).toEqual(['Gracefully', `${field}=Gracefully`]);
    expect(by(undefined)).toEqual(['Directly', 'no-execute-taint-eviction-purge-mode=Directly']);
  });
});

describe('an eviction from a tainted cluster', () => {
  const outcome = (version: string, one: ResourceBinding, switches: Switches = {}) => {
    const evidence: Evidence[] = [];
    const cluster = { metadata: { name: 'm1' }, spec: { taints } };
    const configuration = of(version, switches);
    const made = processTaintedPair(
      { clusterName: 'm1', cluster, binding: one, now, configuration },
      evidence,
    );
    return { made, rules: evidence.map(({ rule }) => rule) };
  };

  test('creates no task in v1.11 without the gate GracefulEviction', () => {
    const { made } = outcome('v1.11.6', binding('ResourceBinding'), { graceful: false });
    expect(made).toMatchObject({ kind: 'evict', spec: { clusters: [] } });
    expect(made).not.toHaveProperty('spec.gracefulEvictionTasks');
  });

  test('creates a task without a purge mode in v1.11 with the gate GracefulEviction', () => {
    const { made } = outcome('v1.11.6', binding('ResourceBinding'));
    expect(made).toHaveProperty('spec.gracefulEvictionTasks.0.fromCluster', 'm1');
    expect(made).not.toHaveProperty('spec.gracefulEvictionTasks.0.purgeMode');
  });

  test.each([
    ['v1.14.2', 'ResourceBinding', 'no toleration', '{}', 'Graciously'],
    ['v1.14.2', 'ResourceBinding', 'an ended toleration', tolerating(50), undefined],
    ['v1.14.5', 'ResourceBinding', 'an ended toleration', tolerating(50), 'Graciously'],
    ['v1.14.0', 'ResourceBinding', 'an ended toleration', tolerating(50), undefined],
    ['v1.14.0', 'ClusterResourceBinding', 'an ended toleration', tolerating(50), 'Graciously'],
    ['v1.18.2', 'ResourceBinding', 'an ended toleration', tolerating(50), 'Gracefully'],
  ] as const)(
    'sets the purge mode by version, kind and toleration: %s, %s with %s',
    (version, kind, _why, applied, purgeMode) => {
      const { made } = outcome(version, binding(kind, applied));
      const [task] = made.kind === 'evict' ? (made.spec.gracefulEvictionTasks ?? []) : [];
      expect(task).toMatchObject({ fromCluster: 'm1', producer: 'TaintManager' });
      expect(task?.purgeMode).toBe(purgeMode);
    },
  );

  test('fails without a readable applied placement and explains why', () => {
    expect(outcome('v1.18.2', binding('ResourceBinding', ''))).toEqual({
      made: { kind: 'error', message: 'the applied placement for ResourceBining can not be empty' },
      rules: ['no scheduler has written the applied placement: the tolerations are unknown'],
    });
    expect(outcome('v1.18.2', binding('ResourceBinding', '{')).rules).toEqual([
      'the annotation with the applied placement cannot be read: its tolerations are unknown',
    ]);
  });

  test('waits until the state to preserve is readable, and explains why', () => {
    const rules = [{ aliasLabelName: 'ready', jsonPath: '{.readyReplicas}' }];
    const stateful = binding('ResourceBinding', '{}', { cluster: { statePreservation: { rules } } });
    expect(outcome('v1.18.2', stateful, { stateful: true }).rules).toContain(
      'an eviction waits until the state to preserve can be read',
    );
    expect(outcome('v1.18.2', stateful).made.kind).toBe('evict');
  });
});

describe('a binding on a tainted cluster', () => {
  const later = { kind: 'after', milliseconds: 5 } as const;

  test('enters the eviction queue at once in versions that queue every binding, else when it is due', () => {
    const everyBinding =
      of('v1.13.10').rules.taints.evictionQueue === 'everyBinding' ? 'v1.13.10' : 'v1.10.0';
    expect(enqueueDecision(taints, later, of(everyBinding).rules)).toEqual({ kind: 'immediate' });
    expect(enqueueDecision([], later, of(everyBinding).rules)).toEqual(later);
    expect(enqueueDecision(taints, later, of('v1.18.2').rules)).toEqual(later);
  });

  test('is due at once without tolerations, with an explanation if the placement is missing', () => {
    const due = (terms: Parameters<typeof evictionDue>[2]) => {
      const evidence: Evidence[] = [];
      return { due: evictionDue(taints, binding('ResourceBinding', ''), terms, now, evidence), evidence };
    };
    expect(due({ tolerations: [] }).due).toEqual({ kind: 'immediate' });
    expect(due({})).toMatchObject({ due: { kind: 'immediate' }, evidence: [{}] });
    expect(evictionDue([], binding('ResourceBinding'), {}, now)).toEqual({ kind: 'skip' });
  });
});
