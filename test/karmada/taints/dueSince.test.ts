import { describe, expect, test } from '@jest/globals';
import { dueSince } from '../../../src/karmada/taints/taintedPair.ts';
import type { Toleration } from '../../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import type { Taint } from '../../../src/kubernetes/schema/core.ts';

const START = Date.UTC(2026, 2, 14);
const at = (second: number) => START + second * 1000;

/** A NoExecute taint added at a second; without one it has no time. */
const taint = (key: string, second?: number, effect: Taint['effect'] = 'NoExecute'): Taint => ({
  key,
  effect,
  ...(second !== undefined && { timeAdded: rfc3339(at(second)) }),
});
const tolerates = (key: string, tolerationSeconds?: number): Toleration => ({
  key,
  operator: 'Exists',
  ...(tolerationSeconds !== undefined && { tolerationSeconds }),
});
const binding = (created?: number): ResourceBinding => ({
  metadata: {
    name: 'web-deployment',
    namespace: 'shop',
    annotations: { 'policy.karmada.io/applied-placement': '{}' },
    ...(created !== undefined && { creationTimestamp: rfc3339(at(created)) }),
  },
  spec: {
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    clusters: [{ name: 'm1', replicas: 2 }],
  },
});
/** The second since which a binding is due. */
const since = (taints: Taint[], tolerations: Toleration[] = [], created?: number) =>
  (dueSince(taints, binding(created), { tolerations }) - START) / 1000;

describe('the due time of a binding', () => {
  test('is the time of the earliest taint that it does not tolerate', () => {
    expect(since([taint('a', 70), taint('b', 50)])).toBe(50);
    expect(since([taint('b', 50), taint('a', 70)])).toBe(50);
    expect(since([taint('b', 50), taint('a', 70)], [tolerates('b')])).toBe(70);
  });

  test('is the end of its toleration', () => {
    expect(since([taint('a', 50)], [tolerates('a', 30)])).toBe(80);
  });

  test('is the time of an untolerated taint before the end of a toleration', () => {
    const tolerations = [tolerates('a', 30)];
    expect(since([taint('a', 50), taint('b', 60)], tolerations)).toBe(60);
    expect(since([taint('a', 50), taint('b', 90)], tolerations)).toBe(80);
  });

  test('is the end of a shorter toleration of a later taint', () => {
    const tolerations = [tolerates('a', 300), tolerates('b', 10)];
    expect(since([taint('a', 50), taint('b', 60)], tolerations)).toBe(70);
  });

  test('is never before its creation', () => {
    expect(since([taint('a', 50)], [], 65)).toBe(65);
    expect(since([taint('a', 50)], [], 40)).toBe(50);
  });

  test('is infinite without an untolerated taint that has a time', () => {
    expect(since([])).toBe(Infinity);
    expect(since([taint('a')])).toBe(Infinity);
    expect(since([taint('a', 50)], [tolerates('a')])).toBe(Infinity);
  });

  test('is the time of the first taint that has one', () => {
    expect(since([taint('a'), taint('b', 50)], [tolerates('b')])).toBe(50);
  });
});
