import { describe, expect, test } from '@jest/globals';
import { evictionAction } from '../../src/analysis/evictionAction/evictionAction.ts';
import type { EvictionActionName } from '../../src/analysis/evictionAction/actionOutcome.ts';
import { explainEvictionTasks } from '../../src/analysis/explanation/tasks/evictionTask.ts';
import { nextVerdictChange } from '../../src/analysis/explanation/tasks/evictionTaskChanges.ts';
import { simulatedTasks } from '../../src/analysis/explanation/tasks/simulatedTasks.ts';
import { evictionClock } from '../../src/karmada/eviction/evictionRule.ts';
import { createClusterSnapshot } from '../../src/karmada/scheduling/clusterSnapshot.ts';
import { schedulerOptions } from '../../src/karmada/scheduling/schedulerOptions.ts';
import { declaredHooks } from '../../src/karmada/status/healthInterpreter.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { evictionTaskList } from '../../src/views/eviction/evictionTaskList.ts';
import { cluster, run, START } from '../simulator/simulation/controlPlane.ts';
import { answerText } from '../views/shownText.ts';
import { evicting, FAULT, migrating, onOneOf, plainWorld, taskFrom } from './underDesign.ts';

const proposal = evicting('proposal');
const members = [cluster('member1', [FAULT]), cluster('member2')];
const either = onOneOf('member1', 'member2');
const NOW = START + 3_600_000;

/** No cluster fits, as the scheduler has reported. */
function withoutPlace(): ResourceBinding {
  const { spec, status, ...binding } = migrating(either);
  const condition = {
    type: 'Scheduled',
    status: 'False' as const,
    reason: 'NoClusterFit',
    message: '0/2 clusters',
  };
  return {
    ...binding,
    spec: { ...spec, clusters: [] },
    status: { ...status, schedulerObservedGeneration: 1, conditions: [condition], aggregatedStatus: [] },
  };
}
const crowded = [cluster('member1', [FAULT]), cluster('member2', [FAULT])];

function explained(
  binding: ResourceBinding,
  { clusters = members, configuration = proposal, plays = false } = {},
) {
  const simulation = plays
    ? run(plainWorld(clusters, [binding]), { configuration, readyAfterSeconds: 300 })
    : undefined;
  const [task] = explainEvictionTasks({ clusters, works: [] }, [binding], {
    now: NOW,
    configuration,
    ...(simulation && { played: simulatedTasks(simulation) }),
  });
  return task!;
}

describe('001 no timeout: the deadline in eviction inspect and explain', () => {
  test.each([true, false])('001 no timeout: a waiting task has no deadline (simulated: %s)', (plays) => {
    const { status, ...binding } = migrating(either);
    const task = explained({ ...binding, status: { ...status, aggregatedStatus: [] } }, { plays });
    expect(task).toMatchObject({
      deadline: null,
      verdict: 'waiting',
      waitingFor: 'member2 to be Healthy (nothing reported yet)',
      atDeadline: 'moved',
      outcome: 'moves',
    });
    expect(task.evidence[0]!.rule).toBe('tasks do not time out: the old copy stays until it is replaced');
  });

  test.each([true, false])(
    '001 no timeout: without another cluster the old copy is kept, not lost (simulated: %s)',
    (plays) => {
      expect(explained(withoutPlace(), { clusters: crowded, plays })).toMatchObject({
        deadline: null,
        verdict: 'stuck',
        waitingFor:
          'a cluster to move to: NoClusterFit, or for the scheduling result to contain member1 again',
        atDeadline: 'kept',
        outcome: 'blocked',
        endsAt: null,
        consequence: 'until then the copy on member1 stays',
      });
    },
  );

  test('001 InBoth: a cluster that is in the result again keeps its copy', () => {
    const task = explained(migrating(either, { tasks: [taskFrom('member2')] }));
    expect(task).toMatchObject({
      verdict: 'ends-now',
      waitingFor: null,
      atDeadline: 'returned',
      consequence: 'member2 keeps its copy: the scheduling result contains it again',
    });
  });

  test('001 evict-plugins: without ResourceHealth a task ends only when its cluster is in the result again', () => {
    const configuration = evicting('proposal', { 'evict-plugins': 'InBoth' });
    expect(explained(migrating(either, { healthy: true }), { configuration })).toMatchObject({
      verdict: 'stuck',
      waitingFor: 'the scheduling result to contain member1 again (evict-plugins lacks ResourceHealth)',
      atDeadline: 'kept',
      outcome: 'blocked',
    });
  });

  test('001 no timeout: a watch has no deadline to wait for', () => {
    expect(nextVerdictChange(migrating(either), evictionClock(NOW, proposal))).toBeUndefined();
  });

  test('001 no timeout: the table and the details show no deadline', () => {
    const input = {
      items: [explained(migrating(either))],
      now: NOW,
      karmadaVersion: 'proposal',
      assumptions: [],
    };
    const text = (detailed: boolean) => answerText(evictionTaskList({ ...input, detailed }));
    expect(text(false)).toMatch(/DEADLINE.*\n.* none /);
    expect(text(true)).toMatch(/deadline +none/);
  });
});

describe('001 no timeout: the results of hold, release and complete', () => {
  function act(action: EvictionActionName, binding: ResourceBinding, clusters = members) {
    return evictionAction(action, binding, 'member1', {
      now: NOW,
      configuration: proposal,
      snapshot: createClusterSnapshot(clusters, schedulerOptions(proposal)),
      clusters: new Map(clusters.map((one) => [one.metadata.name, one])),
      works: undefined,
      hooks: declaredHooks([], proposal.rules),
    });
  }
  const held = (binding: ResourceBinding): ResourceBinding => ({
    ...binding,
    spec: { ...binding.spec, gracefulEvictionTasks: [taskFrom('member1', { suppressDeletion: true })] },
  });

  test('001 no timeout: a released task waits for its replacement, without risk', () => {
    const released = act('release', held(migrating(either)));
    expect(released).toMatchObject({
      verdict: 'change',
      taskEnds: 'later',
      deadline: null,
      oldCopy: 'stays',
    });
    expect(released).not.toHaveProperty('risk');
    expect(released.next).toBe(
      'Karmada waits for member2 to be Healthy (Unhealthy), without a timeout; when the task ends, the copy on member1 is deleted; member2 keeps running',
    );
  });

  test('001 no timeout: a released task without another cluster keeps its copy', () => {
    expect(act('release', held(withoutPlace()), crowded).next).toBe(
      'Karmada waits for a cluster to move to: NoClusterFit, or for the scheduling result to contain member1 again, without a timeout; until then the copy on member1 stays',
    );
  });

  test('001 no timeout: a held task does not end when its replacement is ready', () => {
    expect(act('hold', migrating(either)).next).toBe(
      'the copy on member1 stays until it is released or completed; otherwise the task would have ended after its copy is replaced, without a timeout',
    );
  });

  test('001 suppressDeletion: completing a task ends it at once, as in releases', () => {
    expect(act('complete', migrating(either))).toMatchObject({ taskEnds: 'now', oldCopy: 'deleted' });
  });
});
