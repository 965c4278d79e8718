import { describe, expect, test } from '@jest/globals';
import { evictionAction } from '../../src/analysis/evictionAction/evictionAction.ts';
import { applicationFailoverLinks } from '../../src/analysis/explanation/links/applicationFailoverLinks.ts';
import { declaredHooks } from '../../src/karmada/status/healthInterpreter.ts';
import { plainNames } from '../../src/karmada/configuration/inputNames.ts';
import { createClusterSnapshot } from '../../src/karmada/scheduling/clusterSnapshot.ts';
import { schedulerOptions } from '../../src/karmada/scheduling/schedulerOptions.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { rfc3339 } from '../../src/kubernetes/time.ts';
import { START } from '../simulator/simulation/controlPlane.ts';
import { evicting, onOneOf, taskFrom } from './underDesign.ts';
import { option, SECOND, members, nginx, reported } from './failingApplication.ts';

describe('004 answers about application failover', () => {
  const links = (binding: ResourceBinding, configuration = option) =>
    new Map(
      applicationFailoverLinks(binding, [], {
        configuration,
        workloadReadyAfter: 5000,
        names: plainNames,
      }).map((link) => [link.evidence[0]!.field, `${link.state}: ${link.text}`]),
    );

  test('004 explain: lists the preConditions, and the block after an eviction', () => {
    const application = {
      preConditions: { delaySeconds: 60, healthyState: 'Healthy' },
      blockPredecessorSeconds: 0,
    };
    const field = 'spec.failover.application';
    const listed = links(reported(nginx(application)));
    expect(listed.get(`${field}.preConditions.delaySeconds`)).toBe(
      'limits: nothing is decided for 1m after the first status from a cluster',
    );
    expect(listed.get(`${field}.preConditions.healthyState`)).toBe(
      'limits: nothing is decided on a cluster where it has never been Healthy',
    );
    expect(listed.get(`${field}.blockPredecessorSeconds`)).toBe(
      'holds: does not return to a cluster that it left',
    );
    expect([...links(reported(nginx(application)), evicting('v1.18')).keys()].join()).not.toMatch(
      /preConditions|block/,
    );
  });

  test('004 eviction cancel: removes the cluster from activeEvictionHistory in the same write', () => {
    const binding = nginx({ purgeMode: 'Never' }, onOneOf('member1', 'member2'));
    const clusters = [{ name: 'member2', replicas: 3 }];
    const evicted: ResourceBinding = {
      ...binding,
      spec: {
        ...binding.spec,
        clusters,
        gracefulEvictionTasks: [taskFrom('member1', { replicas: 3, suppressDeletion: true })],
        activeEvictionHistory: [{ clusterName: 'member1', creationTimestamp: rfc3339(START) }],
      },
    };
    const snapshot = createClusterSnapshot(members, schedulerOptions(option));
    const old = { metadata: { namespace: 'karmada-es-member1', name: 'nginx' }, spec: {} };
    const {
      verdict,
      after,
      clusters: back,
    } = evictionAction('cancel', evicted, 'member1', {
      now: START + SECOND,
      configuration: option,
      snapshot,
      clusters: new Map(members.map((one) => [one.metadata.name, one])),
      works: new Map([['member1', old]]),
      hooks: declaredHooks([], option.rules),
    });
    expect(verdict).toBe('change');
    expect(after).toMatchObject({ gracefulEvictionTasks: [], activeEvictionHistory: [] });
    expect(back).toEqual([{ name: 'member1', replicas: 3 }]);
  });
});
