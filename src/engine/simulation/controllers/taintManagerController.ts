import type { Configuration } from '../../../karmada/configuration.ts';
import type { Evidence } from '../../evidence.ts';
import { appliedPlacement } from '../../objects/appliedPlacement.ts';
import { createEvictionQueue, type EvictionQueue } from '../../taints/evictionQueue.ts';
import { enqueueDecision, processTaintedPair, taintsInForce } from '../../taints/taintManager.ts';
import { createKeyedQueue, type Agenda } from '../agenda.ts';
import { type BindingRecord, type SimulatedControlPlane } from '../controlPlane.ts';
import { objectKey } from '../../objects/identities.ts';
import { latencies } from '../latencies.ts';
import type { Outcomes } from '../outcomes.ts';
import { createTaintedClusterRounds } from './taintedClusterRounds.ts';

interface Pair {
  key: string;
  cluster: string;
  record: BindingRecord;
}

/** ConcurrentReconciles of the taint manager, for each of its queues. */
const WORKERS = 3;

/**
 * The taint manager: an event of a tainted cluster enqueues its bindings, two paced queues evict them. The
 * periodic look at tainted clusters is planned only where a binding has changed meanwhile: nothing else could
 * make it find more than the look before.
 */
export function startTaintManager(
  plane: SimulatedControlPlane,
  agenda: Agenda,
  configuration: Configuration,
  outcomes: Outcomes,
): void {
  const pairs = new Map<string, Pair>();
  const pairOf = (cluster: string, record: BindingRecord): Pair => {
    const key = `${cluster}|${objectKey(record.identity)}`;
    let pair = pairs.get(key);
    if (!pair) pairs.set(key, (pair = { key, cluster, record }));
    return pair;
  };

  /** the ends of tolerations that the timeline has told of */
  const waitsUntil = new Map<Pair, number>();

  const bindingQueue = startQueue();
  const clusterBindingQueue = startQueue();
  const queueOf = ({ record }: Pair) =>
    record.identity.kind === 'ClusterResourceBinding' ? clusterBindingQueue : bindingQueue;

  function startQueue(): { queue: EvictionQueue; wake(): void } {
    const queue = createEvictionQueue({
      rate: configuration.controllerManager['resource-eviction-rate'],
      workers: WORKERS,
    });
    const wakes = createKeyedQueue<'queue'>(agenda, work);
    function work(): void {
      const now = agenda.now();
      for (let key = queue.take(now); key !== undefined; key = queue.take(now))
        queue.done(key, now, process(pairs.get(key)!));
      wake();
    }
    function wake(): void {
      const at = queue.nextWake();
      if (at !== undefined) wakes.add('queue', Math.max(at, agenda.now()));
    }
    return { queue, wake };
  }

  function enqueue(pair: Pair, delay: number | undefined): void {
    const { queue, wake } = queueOf(pair);
    if (delay === undefined) queue.add(pair.key, agenda.now());
    else queue.addAfter(pair.key, agenda.now() + delay);
    wake();
  }

  function look(name: string): void {
    const cluster = plane.clusters.get(name);
    const taints = taintsInForce(cluster, configuration);
    if (taints.length === 0) return;
    rounds.begin(name, agenda.now());
    for (const record of plane.bindingsOn(name)) {
      const evidence = plane.evidence();
      const decision = enqueueDecision(taints, record.current, agenda.now(), evidence);
      if (decision.kind === 'immediate') {
        enqueue(pairOf(name, record), undefined);
        continue;
      }
      outcomes.tolerates(
        record,
        decision.kind === 'skip'
          ? `tolerates ${taints.map(({ key }) => key).join(', ')} on ${name} for ever`
          : `tolerates ${taints.map(({ key }) => key).join(', ')} on ${name} for a time`,
      );
      for (const { certainty, missing } of evidence ?? [])
        if (certainty && certainty !== 'certain')
          outcomes.dependsOn(record, certainty, missing ?? 'a taint without timeAdded');
      if (decision.kind !== 'after') continue;
      const pair = pairOf(name, record);
      enqueue(pair, decision.milliseconds);
      const end = agenda.now() + decision.milliseconds;
      if (waitsUntil.get(pair) === end) continue;
      waitsUntil.set(pair, end);
      plane.note({
        controller: 'taint-manager',
        type: 'EvictionWaits',
        object: record.identity,
        cluster: name,
        message: `tolerated for another ${Math.round(decision.milliseconds / 1000)} s`,
        evidence,
      });
    }
  }

  function process(pair: Pair): 'succeeded' | 'failed' {
    const { cluster, record } = pair;
    if (record.deleted) return 'succeeded';
    const evidence = plane.evidence();
    const outcome = processTaintedPair(
      {
        clusterName: cluster,
        cluster: plane.clusters.get(cluster),
        binding: record.current,
        now: agenda.now(),
        configuration,
      },
      evidence,
    );
    switch (outcome.kind) {
      case 'none':
        return 'succeeded';
      case 'wait':
        enqueue(pair, outcome.milliseconds);
        return 'succeeded';
      case 'error':
        noteBlocked(cluster, record, outcome.message, evidence);
        return 'failed';
      case 'evict': {
        const task = outcome.spec.gracefulEvictionTasks?.find(({ fromCluster }) => fromCluster === cluster);
        plane.writeBinding(
          record,
          { spec: outcome.spec },
          {
            controller: 'taint-manager',
            type: 'Evicted',
            cluster,
            reason: 'TaintUntolerated',
            message: `evicted from ${cluster}, ${task?.purgeMode ?? 'Gracefully'}`,
            evidence,
          },
        );
        return 'succeeded';
      }
    }
  }

  const blocked = new Map<BindingRecord, string>();
  function noteBlocked(
    cluster: string,
    record: BindingRecord,
    message: string,
    evidence: Evidence[] | undefined,
  ): void {
    if (blocked.get(record) === message) return;
    blocked.set(record, message);
    plane.note({
      controller: 'taint-manager',
      type: 'EvictionBlocked',
      object: record.identity,
      cluster,
      message,
      evidence,
    });
  }

  const looks = createKeyedQueue<string>(agenda, look);
  const rounds = createTaintedClusterRounds();
  const tainted = (name: string) => taintsInForce(plane.clusters.get(name), configuration).length > 0;
  plane.observe({
    clusterChanged(_before, { metadata: { name } }) {
      if (tainted(name)) looks.add(name, agenda.now() + latencies.taintManager);
      else rounds.end(name, agenda.now());
    },
    bindingChanged(record, before) {
      // Newly on a tainted cluster, or with other tolerations: found by the next periodic look.
      const tolerationsChanged =
        !before || appliedPlacement(before.metadata) !== appliedPlacement(record.current.metadata);
      for (const { name } of record.current.spec.clusters ?? []) {
        if (!tainted(name)) continue;
        const wasThere = before?.spec.clusters?.some((target) => target.name === name) ?? false;
        if (!wasThere || tolerationsChanged) looks.add(name, rounds.next(name, agenda.now()));
      }
    },
  });
  for (const name of [...plane.clusters.keys()].sort())
    if (tainted(name)) looks.add(name, agenda.now() + latencies.taintManager);
}
