import { describe, expect, test } from '@jest/globals';
import type { ClusterHealth } from '../../../src/karmada/detection/clusterHealth.ts';
import {
  conditionTaints,
  failureTaints,
  terminatingTaints,
} from '../../../src/karmada/detection/conditionTaints.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ConditionStatus, Taint } from '../../../src/karmada/api/meta.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { v1_18 } from '../../dialects.ts';

const now = Date.UTC(2026, 2, 14, 12);
const timeout = 300_000;
const NOT_READY = 'cluster.karmada.io/not-ready';
const UNREACHABLE = 'cluster.karmada.io/unreachable';
const there = (key: string, effect: Taint['effect'] = 'NoExecute'): Taint => ({
  key,
  effect,
  timeAdded: 'then',
});
const added = (key: string): Taint => ({ key, effect: 'NoExecute', timeAdded: rfc3339(now) });
const clusterWith = (taints?: Taint[]): Cluster => ({
  metadata: { name: 'm1' },
  ...(taints && { spec: { taints } }),
});

/** A reconcile of a cluster whose Ready was last reported, and last changed, this long ago. */
const look = (
  status: ConditionStatus,
  since: { heard?: number; changed?: number },
  { taints, failover = true }: { taints?: Taint[]; failover?: boolean } = {},
) => {
  const health = {
    heardAt: now - (since.heard ?? 0),
    readyChangedAt: now - (since.changed ?? 0),
  } as ClusterHealth;
  return failureTaints(clusterWith(taints), status, health, { timeout, failover }, now);
};

describe('a failed cluster up to v1.13', () => {
  test('gets not-ready once Ready has been False for longer than the timeout', () => {
    expect(look('False', { changed: timeout }).taints).toEqual([]);
    expect(look('False', { changed: timeout + 1 }).taints).toEqual([added(NOT_READY)]);
  });

  test('gets unreachable once its last heartbeat is older than the timeout', () => {
    expect(look('Unknown', { heard: timeout, changed: timeout * 2 }).taints).toEqual([]);
    expect(look('Unknown', { heard: timeout + 1 }).taints).toEqual([added(UNREACHABLE)]);
  });

  test('has only one of the two taints and keeps the time of an existing taint', () => {
    expect(
      look('Unknown', { heard: timeout + 1 }, { taints: [there(NOT_READY), there('own')] }).taints,
    ).toEqual([there('own'), added(UNREACHABLE)]);
    const taints = [there(NOT_READY)];
    expect(look('False', { changed: timeout + 1 }, { taints })).toEqual({ taints, evidence: [] });
  });

  test('keeps its taints without the gate Failover', () => {
    const taints = [there(UNREACHABLE)];
    for (const status of ['False', 'Unknown'] as const)
      expect(look(status, { heard: timeout * 2, changed: timeout * 2 }, { taints, failover: false })).toEqual(
        {
          taints,
          evidence: [],
        },
      );
  });

  test('loses both NoExecute taints once it is Ready, even without the gate Failover', () => {
    const taints = [there(NOT_READY), there(UNREACHABLE), there(NOT_READY, 'NoSchedule')];
    for (const failover of [true, false])
      expect(look('True', {}, { taints, failover }).taints).toEqual([there(NOT_READY, 'NoSchedule')]);
  });

  test.each([
    ['False', 'a cluster whose Ready condition has been False for longer than 5m carries', NOT_READY],
    ['Unknown', 'a cluster whose Ready condition has been Unknown for longer than 5m carries', UNREACHABLE],
  ] as const)('has evidence of a new taint with Ready=%s', (status, rule, key) => {
    expect(look(status, { heard: timeout * 2, changed: timeout * 2 }).evidence).toEqual([
      {
        rule: `${rule} ${key} with NoExecute`,
        object: { kind: 'Cluster', name: 'm1' },
        field: 'failover-eviction-timeout=5m',
        value: status,
      },
    ]);
  });

  test('has evidence of a removed taint', () => {
    expect(look('True', {}, { taints: [there(NOT_READY)] }).evidence).toMatchObject([
      {
        rule: 'a cluster that is Ready carries neither not-ready nor unreachable with NoExecute',
        value: 'True',
      },
    ]);
  });
});

test('a cluster that is being deleted gets the taint terminating once, with evidence', () => {
  const deletionTimestamp = rfc3339(now);
  const cluster: Cluster = { ...clusterWith([there('own')]), metadata: { name: 'm1', deletionTimestamp } };
  const { taints, evidence } = terminatingTaints(cluster, now);
  expect(taints).toEqual([there('own'), added('cluster.karmada.io/terminating')]);
  expect(evidence).toEqual([
    {
      rule: 'a cluster that is being deleted carries cluster.karmada.io/terminating with NoExecute',
      object: { kind: 'Cluster', name: 'm1' },
      field: 'metadata.deletionTimestamp',
      value: deletionTimestamp,
    },
  ]);
  expect(terminatingTaints({ ...cluster, spec: { taints } }, now)).toEqual({ taints, evidence: [] });
});

describe('the evidence of the Ready taints', () => {
  const of = (status: ConditionStatus | undefined, taints?: Taint[]) =>
    conditionTaints(
      {
        ...clusterWith(taints),
        ...(status && { status: { conditions: [{ type: 'Ready', status }] } }),
      },
      now,
      v1_18.rules,
    ).evidence.map(({ rule }) => rule);
  const both = [there(NOT_READY, 'NoSchedule'), there(UNREACHABLE, 'NoSchedule')];

  test.each([
    ['False', undefined, [`a cluster whose Ready condition is False carries ${NOT_READY}`]],
    ['Unknown', undefined, [`a cluster whose Ready condition is Unknown carries ${UNREACHABLE}`]],
    ['True', both, ['a cluster whose Ready condition is True carries neither not-ready nor unreachable']],
    [undefined, undefined, ['a cluster without a Ready condition counts as not ready']],
    ['True', undefined, []],
  ] as const)('explains Ready=%s with the existing taints %j', (status, taints, rules) => {
    expect(of(status, taints && [...taints])).toEqual(rules);
  });
});
