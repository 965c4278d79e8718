import { drainMarkOf, isCordoned, isMarkOf } from '../../analysis/drain/cordon.ts';
import type { DrainEvent, DrainProgress, DrainResult } from '../../analysis/drain/drainEvent.ts';
import type { DrainOptions } from '../../analysis/drain/drainOptions.ts';
import { createDrainPacer } from '../../analysis/drain/decide/drainPacer.ts';
import type { DrainPlan } from '../../analysis/drain/plan/drainPlan.ts';
import type { DrainStep } from '../../analysis/drain/decide/drainStep.ts';
import type { PlanBasis } from '../../analysis/drain/plan/planBasis.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { formatDuration } from '../../kubernetes/time.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { linkedSignal } from '../../state/live/requests/linkedSignal.ts';
import { pause as realPause, type Pause } from '../pause.ts';
import { createDrainStepReader, type DrainNews } from './drainEvents.ts';
import { openDrainMirrors, type DrainMirrors, type OpenMirror } from './drainMirrors.ts';
import { createDrainSight } from './drainSight.ts';
import { createDrainWriter } from './drainWriter.ts';
import { assertMayDrain } from './mayDrain.ts';
import { judgeByPlan } from './plannedAlone.ts';
import { createPostponements } from './postponements.ts';
import { readHooks } from './readHooks.ts';
import { readTemplateLabels } from './readTemplateLabels.ts';
import { removeMarks } from './removeMarks.ts';
import { untilAnswered } from './untilAnswered.ts';

export interface ExecuteDrainOptions {
  configuration: Configuration;
  /** evicts only what this plan evicts and has not changed since */
  plan?: DrainPlan | undefined;
  /** what the plan rests on, to find changes */
  basis?: PlanBasis | undefined;
  /** who runs it, for the marks on the clusters: "anna@bastion-1" */
  runner?: string | undefined;
  /** stops between two writes, after the current one is settled */
  signal?: AbortSignal | undefined;
  /** false: ends when everything is evicted; running again then releases what is held. Default true */
  wait?: boolean | undefined;
  /** milliseconds */
  timeout?: number | undefined;
  onEvent?: ((event: DrainEvent) => void) | undefined;
  onProgress?: ((progress: DrainProgress) => void) | undefined;
  openMirror?: OpenMirror | undefined;
  pause?: Pause | undefined;
}

/** Milliseconds. Changes within this time share one look. */
const TOGETHER = 100;
/** After each look it rests this many times as long as the look took: thousands of workloads take a while. */
const REST = 3;
const HEARTBEAT = 10_000;
const WHILE_STALE = 500;

/**
 * Drains clusters: writes what `decideDrain` finds due, looks again at every change, and reports what has happened,
 * until nothing is left to do. Everything it has to know is on the control plane, so that a new run continues one that
 * was interrupted in any way, and two may run at once.
 *
 * It decides only while it hears from the API server, and just before it writes an eviction or a release it reads anew
 * what that rests on. When everything is gone it removes the marks from the clusters, and leaves them cordoned.
 *
 * Rejects with ApiError if the user lacks a right, if the API server refuses the cordon, or if it cannot be reached in
 * the beginning; what has been done by then stays.
 */
export async function executeDrain(
  server: ApiServer,
  options: DrainOptions,
  run: ExecuteDrainOptions,
): Promise<DrainResult> {
  const { configuration, pause = realPause } = run;
  const ended = new AbortController();
  const timedOut = new AbortController();
  if (run.timeout !== undefined)
    void pause(run.timeout, ended.signal).then(() => {
      if (!ended.signal.aborted) timedOut.abort();
    });
  const { signal: stop, release } = linkedSignal(timedOut.signal, run.signal);
  const mirrors = openDrainMirrors(server, options.selection, {
    openMirror: run.openMirror ?? (await import('../../state/live/mirrors/reflector.ts')).mirror,
    pause,
    hasGroups: configuration.featureGates.WorkloadAffinity,
  });
  const startedAt = server.now();
  const tell = (news: DrainNews) => run.onEvent?.({ time: server.now(), ...news });
  try {
    const { outcome, reason, step } = await drain(server, options, run, {
      mirrors,
      pause,
      stop,
      tell,
      startedAt,
    });
    const result: DrainResult = {
      outcome,
      ...(reason === undefined
        ? {}
        : { reason: timedOut.signal.aborted ? timeoutReason(run, reason) : reason }),
      gone: step?.workloads.filter(({ phase }) => phase === 'gone').length ?? 0,
      workloads: step?.workloads ?? [],
      seconds: (server.now() - startedAt) / 1000,
    };
    tell({ type: 'finished', result });
    return result;
  } finally {
    ended.abort();
    release();
    mirrors.stop();
  }
}

interface Surroundings {
  mirrors: DrainMirrors;
  pause: Pause;
  stop: AbortSignal;
  tell: (news: DrainNews) => void;
  startedAt: number;
}

interface Ending {
  outcome: DrainResult['outcome'];
  reason?: string;
  /** the last look */
  step?: DrainStep;
}

const INTERRUPTED = 'interrupted';
/** How often a run goes on after another drain of the same clusters has ended. */
const MOST_OTHERS = 20;

async function drain(
  server: ApiServer,
  options: DrainOptions,
  { configuration, plan, basis, wait = true, onProgress, runner }: ExecuteDrainOptions,
  { mirrors, pause, stop, tell, startedAt }: Surroundings,
): Promise<Ending> {
  await Promise.race([mirrors.synced, aborted(stop)]);
  const hooks = await untilAnswered(() => readHooks(server, configuration.rules), { pause, stop });
  const templateOf = await untilAnswered(
    () => readTemplateLabels(server, options.selection, mirrors.bindings()),
    { pause, stop },
  );
  if (!hooks || !templateOf) return { outcome: 'not-finished', reason: INTERRUPTED };

  const pacer = createDrainPacer(runner);
  const postponements = createPostponements();
  const verdict = plan && judgeByPlan(plan, basis);
  const sight = createDrainSight(mirrors, {
    ...{ options, configuration, pacer, postponements, verdict, hooks, templateOf },
  });
  const look = () => sight(server.now());
  const { clusters } = options;
  const writer = createDrainWriter(server, mirrors, {
    ...{ clusters, pacer, postponements, pause, stop, look, tell },
  });
  const stepReader = createDrainStepReader(options.hold);
  const drained = () => mirrors.clusters().filter(({ metadata }) => clusters.includes(metadata.name));

  const show = (step: DrainStep, staleSince: number | undefined) =>
    onProgress?.({
      ...{ now: server.now(), startedAt, clusters, pace: step.pace, workloads: step.workloads },
      ...(staleSince === undefined ? {} : { staleSince }),
    });
  let latest: DrainStep | undefined;
  let staleTold = false;
  let othersEnded = 0;
  for (;;) {
    const staleSince = mirrors.staleSince();
    if (staleSince !== undefined && !stop.aborted) {
      if (!staleTold) tell({ type: 'stale', since: staleSince });
      staleTold = true;
      if (latest) show(latest, staleSince);
      await pause(WHILE_STALE, stop);
      continue;
    }
    if (staleTold && staleSince === undefined) {
      tell({ type: 'heard-again' });
      staleTold = false;
    }

    if (stop.aborted && !latest) return { outcome: 'not-finished', reason: INTERRUPTED };
    const lookedAt = performance.now();
    const step = look();
    const took = performance.now() - lookedAt;
    if (!latest) {
      await assertMayDrain(server, options, step);
      tell({
        type: 'started',
        clusters,
        workloads: step.workloads.length,
        resumed: isResumed(drained(), step),
      });
    }
    stepReader.read(step).forEach(tell);
    latest = step;
    show(step, staleSince);

    if (step.stopped !== undefined) {
      const others = drained();
      if (othersEnded >= MOST_OTHERS || others.length < clusters.length || !others.every(isLeftCordoned))
        return { outcome: 'stopped', reason: step.stopped, step };
      // Another drain of the same clusters has ended; this one will end in a moment.
      othersEnded++;
      pacer.cordoned.clear();
      continue;
    }
    const rival = overwrittenMark(step, pacer.cordoned, options);
    if (rival) return { outcome: 'stopped', reason: rival, step };
    if (stop.aborted)
      return { outcome: 'not-finished', reason: [INTERRUPTED, ...writer.unsettled].join('; '), step };
    const nextTry = postponements.nextTry(server.now());
    if (step.finished && nextTry === undefined) {
      const open = openReason(step);
      if (open !== undefined) return { outcome: 'not-finished', reason: open, step };
      await removeMarks(server, drained(), { pause, signal: stop });
      return { outcome: 'done', step };
    }
    if (!wait && step.writes.length === 0 && !step.workloads.some(({ phase }) => phase === 'queued'))
      return {
        outcome: 'not-finished',
        reason: 'all workloads are evicted, but old copies are still there; run again to release them',
        step,
      };

    if (step.writes.length > 0 && (await writer.write(step))) continue;
    const next = Math.min(step.lookAgainAt ?? Infinity, nextTry ?? Infinity) - server.now();
    if (await mirrors.change(Math.max(0, Math.min(next, HEARTBEAT)), stop))
      await pause(Math.max(TOGETHER, Math.round(REST * took)), stop);
  }
}

/** Whether a cluster is cordoned, as a finished drain leaves it; somebody who stops a drain uncordons it. */
function isLeftCordoned(cluster: Cluster): boolean {
  return isCordoned(cluster) && !cluster.metadata.deletionTimestamp;
}

/** Whether an earlier run has begun this drain. */
function isResumed(drained: readonly Cluster[], { workloads }: DrainStep): boolean {
  return (
    drained.some((cluster) => drainMarkOf(cluster) !== undefined) ||
    workloads.some(({ phase }) => !['queued', 'stays', 'skipped'].includes(phase))
  );
}

/** Two drains that overwrite each other's mark on a cluster would never end: the later one goes on. */
function overwrittenMark(
  { writes }: DrainStep,
  marked: ReadonlySet<string>,
  options: DrainOptions,
): string | undefined {
  for (const write of writes)
    if (
      write.type === 'cordon' &&
      marked.has(write.cluster.metadata.name) &&
      isOfAnother(write.cluster, options)
    )
      return `another drain of Cluster ${write.cluster.metadata.name}, with other options, has begun meanwhile and goes on`;
  return undefined;
}

function isOfAnother(cluster: Cluster, options: DrainOptions): boolean {
  const mark = drainMarkOf(cluster);
  return mark !== undefined && !isMarkOf(mark, options);
}

/** What a finished drain leaves open; undefined if nothing. */
function openReason({ workloads }: DrainStep): string | undefined {
  const open = workloads.filter(({ phase }) => phase !== 'gone' && phase !== 'stays');
  if (open.length === 0) return undefined;
  const skipped = open.filter(({ phase }) => phase === 'skipped').length;
  const stuck = open.filter(({ phase }) => phase !== 'skipped');
  const parts: string[] = [];
  if (skipped > 0) parts.push(`${counted(skipped)} left where ${skipped === 1 ? 'it is' : 'they are'}`);
  if (stuck.length > 0) {
    const reasons = [...new Set(stuck.map(({ waitingFor }) => waitingFor))];
    parts.push(`${counted(stuck.length)} held: ${reasons[0]}${reasons.length > 1 ? ', and so on' : ''}`);
  }
  return parts.join(', ');
}

function counted(workloads: number): string {
  return workloads === 1 ? '1 workload is' : `${workloads} workloads are`;
}

function timeoutReason({ timeout = 0 }: ExecuteDrainOptions, reason: string): string {
  return reason.replace(INTERRUPTED, `timed out after ${formatDuration(timeout)}`);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
