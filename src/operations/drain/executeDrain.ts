import { setImmediate as immediate } from 'node:timers/promises';
import { drainMarkOf } from '../../analysis/drain/cordon.ts';
import { RUN_KEY, type DrainMemory } from '../../analysis/drain/decide/drainMemory.ts';
import type {
  DrainedWorkload,
  DrainStep,
  DrainEvent,
  DrainProgress,
  DrainResult,
} from '../../analysis/drain/decide/drainStep.ts';
import { createDrainController, drainStatus } from '../../analysis/drain/drainController.ts';
import type { DrainOptions } from '../../analysis/drain/drainOptions.ts';
import type { DrainPlan } from '../../analysis/drain/plan/drainPlan.ts';
import type { PlanBasis } from '../../analysis/drain/plan/planBasis.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { View } from '../../karmada/controllers/view.ts';
import type { Change } from '../../karmada/controllers/write.ts';
import { bindingIdentity, bindingKey, objectKey } from '../../karmada/objects/identities.ts';
import { formatDuration } from '../../kubernetes/time.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { linkedSignal } from '../../state/live/requests/linkedSignal.ts';
import type { OpenMirror } from '../../state/live/mirrors/mirror.ts';
import { openLiveView, type LiveView } from '../controllers/liveView.ts';
import { runControllers } from '../controllers/runControllers.ts';
import { pause as realPause, type Pause, untilAborted } from '../pause.ts';
import { createDrainApi, isOfOtherDrain } from './drainApi.ts';
import { createDrainStepReader, type DrainNews } from './drainEvents.ts';
import { assertMayDrain } from './mayDrain.ts';
import { applyPlanVerdicts } from './plannedAlone.ts';
import { createPostponements } from './postponements.ts';
import { readHooks } from './readHooks.ts';
import { readTemplateLabels } from './readTemplateLabels.ts';
import { removeMarks } from './removeMarks.ts';
import { untilAnswered } from './untilAnswered.ts';

export interface ExecuteDrainOptions {
  configuration: Configuration;
  /** evicts only workloads of this plan that have not changed since */
  plan?: DrainPlan | undefined;
  /** the state that the plan is based on, to find changes */
  basis?: PlanBasis | undefined;
  /** who runs it, for the marks on the clusters: "anna@bastion-1" */
  runner?: string | undefined;
  /** stops between two writes, after the current one is settled */
  signal?: AbortSignal | undefined;
  /** false: ends when everything is evicted; the next run releases held copies. Default true */
  wait?: boolean | undefined;
  /** milliseconds */
  timeout?: number | undefined;
  onEvent?: ((event: DrainEvent) => void) | undefined;
  onProgress?: ((progress: DrainProgress) => void) | undefined;
  openMirror?: OpenMirror | undefined;
  pause?: Pause | undefined;
  /** milliseconds, to measure how long refreshes take; the process's own by default */
  stopwatch?: (() => number) | undefined;
}

/** Milliseconds. Changes within this time are handled in one refresh. */
const TOGETHER = 100;
/** The pause after each refresh, as a multiple of its duration: thousands of workloads take a while. */
const REST = 3;
const HEARTBEAT = 10_000;
const WHILE_STALE = 500;

/**
 * Drains clusters: runs the drain as a controller, refreshes all workloads at every change, and reports progress until
 * it is finished. All its state is on the control plane, so a new run resumes an interrupted one, and two may run at
 * once.
 *
 * It decides only while the API server responds, and rereads the objects behind an eviction or a release just before
 * writing it. When everything is gone, it removes the marks from the clusters, and leaves them cordoned.
 *
 * Rejects with ApiError if the user lacks a permission, if the API server refuses the cordon, or if it cannot be
 * reached at the start; completed writes stay.
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
  const live = openLiveView(server, {
    configuration,
    followed: { bindings: true, taintPolicies: false, interpreters: false },
    works: true,
    namespace: options.selection.namespace,
    openMirror: run.openMirror ?? (await import('../../state/live/mirrors/reflector.ts')).mirror,
    signal: ended.signal,
    now: server.now(),
    slim: (object) => object,
  });
  const startedAt = server.now();
  const notify = (news: DrainNews) => run.onEvent?.({ time: server.now(), ...news });
  try {
    const { outcome, reason, step } = await drain(server, options, run, {
      live,
      pause,
      stop,
      notify,
      startedAt,
    });
    const result: DrainResult = {
      outcome,
      ...(reason !== undefined && { reason: timedOut.signal.aborted ? timeoutReason(run, reason) : reason }),
      gone: step?.workloads.filter(({ phase }) => phase === 'gone').length ?? 0,
      workloads: step?.workloads ?? [],
      seconds: (server.now() - startedAt) / 1000,
    };
    notify({ type: 'finished', result });
    return result;
  } finally {
    ended.abort();
    release();
    live.stop();
  }
}

interface Surroundings {
  live: LiveView;
  pause: Pause;
  stop: AbortSignal;
  notify: (news: DrainNews) => void;
  startedAt: number;
}

interface Ending {
  outcome: DrainResult['outcome'];
  reason?: string;
  /** the result of the last refresh */
  step?: DrainStep;
}

const INTERRUPTED = 'interrupted';

async function drain(
  server: ApiServer,
  options: DrainOptions,
  {
    configuration,
    plan,
    basis,
    wait = true,
    onProgress,
    runner,
    stopwatch = () => performance.now(),
  }: ExecuteDrainOptions,
  { live, pause, stop, notify, startedAt }: Surroundings,
): Promise<Ending> {
  const news = changesOf(live);
  await Promise.race([live.synced, untilAborted(stop)]);
  const hooks = await untilAnswered(server, (from) => readHooks(from, configuration.rules), { pause, stop });
  const templateOf = await untilAnswered(
    server,
    (from) => readTemplateLabels(from, options.selection, live.view.all('Binding')),
    { pause, stop },
  );
  if (!hooks || !templateOf) return { outcome: 'not-finished', reason: INTERRUPTED };

  const { clusters } = options;
  const postponements = createPostponements();
  const view = viewWithout(
    live.view,
    hooks,
    (binding) => postponements.of(binding, server.now()) !== undefined,
  );
  const controller = createDrainController({
    options,
    configuration,
    runner,
    templateOf,
    ...(plan && { plan: applyPlanVerdicts(plan, basis) }),
  });
  const remembered = new Map<string, DrainMemory>();
  let latest: DrainStep | undefined;
  const api = createDrainApi(server, {
    options,
    live,
    postponements,
    pause,
    stop,
    notify,
    marked: () => remembered.get(RUN_KEY)?.course?.cordoned ?? [],
    standing: (binding) =>
      latest?.workloads.find((one) => objectKey(one.binding) === objectKey(bindingIdentity(binding))),
    reconsider: (binding, at) => {
      if (at < Infinity) void reached(at).then(() => news.notify(binding));
    },
  });
  /**
   * Waits for an instant of the server's clock, which may not advance: a binding reported while hidden is dropped at
   * the next refresh, and no later change may report it again.
   */
  async function reached(at: number): Promise<void> {
    while (server.now() < at && !stop.aborted) await pause(at - server.now(), stop);
  }

  const ended = linkedSignal(stop);
  let running: { settled: Promise<void> } | undefined;
  let failed: { error: unknown } | undefined;

  /** Runs the drain until it is stopped. */
  function run(): { settled: Promise<void> } {
    const settled = runControllers(
      [controller],
      {
        view,
        configuration,
        api,
        now: () => server.now(),
        sleep: pause,
        stopwatch,
        breathe: () => immediate(),
        staleSince: live.staleSince,
        subscribe: news.subscribe,
        observer: { reconciled: () => news.wake() },
      },
      { signal: ended.signal, remembered: { [controller.name]: remembered } },
    ).catch((error: unknown) => {
      failed = { error };
      news.wake();
    });
    return { settled };
  }

  /** The state of all workloads, including those whose writes the API server has just refused. */
  function standing(): DrainStep {
    const now = server.now();
    const step = drainStatus(controller.drain, view, { bindings: news.bindings(view), remembered, now });
    const refused = new Map<string, DrainedWorkload>();
    for (const binding of live.view.all('Binding')) {
      const workload = postponements.of(binding, now)?.workload;
      if (workload) refused.set(objectKey(workload.binding), workload);
    }
    if (refused.size === 0) return step;
    const others = step.workloads.filter(({ binding }) => !refused.has(objectKey(binding)));
    return { ...step, workloads: [...others, ...refused.values()] };
  }

  const stepReader = createDrainStepReader(options.hold);
  const drained = () => clusters.flatMap((name) => live.view.get('Cluster', name) ?? []);
  const show = (step: DrainStep, staleSince: number | undefined) =>
    onProgress?.({
      now: server.now(),
      startedAt,
      clusters,
      pace: step.pace,
      workloads: step.workloads,
      ...(staleSince === undefined ? {} : { staleSince }),
    });

  /** Refreshes all workloads after every change, until the drain ends. */
  async function watch(): Promise<Ending> {
    let staleReported = false;
    for (;;) {
      if (stop.aborted) await running?.settled;
      if (failed) throw failed.error;
      const staleSince = live.staleSince();
      if (staleSince !== undefined && !stop.aborted) {
        if (!staleReported) notify({ type: 'stale', since: staleSince });
        staleReported = true;
        if (latest) show(latest, staleSince);
        await pause(WHILE_STALE, stop);
        continue;
      }
      if (staleReported && staleSince === undefined) {
        notify({ type: 'heard-again' });
        staleReported = false;
      }

      if (stop.aborted && !latest) return { outcome: 'not-finished', reason: INTERRUPTED };
      const sinceRefresh = stopwatch();
      const step = standing();
      const took = stopwatch() - sinceRefresh;
      if (!latest) {
        await assertMayDrain(server, options, step);
        const resumed = isResumed(drained(), step);
        notify({ type: 'started', clusters, workloads: step.workloads.length, resumed });
      }
      stepReader.read(step).forEach(notify);
      latest = step;
      show(step, staleSince);

      if (step.stopped !== undefined) return { outcome: 'stopped', reason: step.stopped, step };
      const rival = overwrittenMark(step, remembered.get(RUN_KEY)?.course?.cordoned ?? [], options);
      if (rival) return { outcome: 'stopped', reason: rival, step };
      if (stop.aborted)
        return { outcome: 'not-finished', reason: [INTERRUPTED, ...api.unsettled].join('; '), step };
      const nextTry = postponements.nextTry(server.now());
      if (step.finished && nextTry === undefined) {
        const open = openReason(step);
        if (open !== undefined) return { outcome: 'not-finished', reason: open, step };
        return { outcome: 'done', step };
      }
      if (!wait && step.writes.length === 0 && !step.workloads.some(({ phase }) => phase === 'queued'))
        return {
          outcome: 'not-finished',
          reason: 'all workloads are evicted, but old copies remain; run again to release them',
          step,
        };

      running ??= run();
      const next = Math.min(step.requeueAt ?? Infinity, nextTry ?? Infinity) - server.now();
      if (await news.change(Math.max(TOGETHER, Math.min(next, HEARTBEAT)), pause, stop))
        await pause(Math.max(TOGETHER, Math.round(REST * took)), stop);
    }
  }

  try {
    const ending = await watch();
    ended.abort();
    await running?.settled;
    if (ending.outcome === 'done') await removeMarks(server, drained(), { pause, signal: stop });
    return ending;
  } finally {
    ended.abort();
    ended.release();
  }
}

/** A drain's view of a control plane: without the bindings whose writes the API server has just refused. */
function viewWithout(
  view: View,
  hooks: View['hooks'],
  isHidden: (binding: ResourceBinding) => boolean,
): View {
  const shown = (bindings: readonly ResourceBinding[]) => bindings.filter((one) => !isHidden(one));
  return {
    ...view,
    get(kind, key) {
      const binding = kind === 'Binding' ? view.get('Binding', key) : undefined;
      return binding && isHidden(binding) ? undefined : view.get(kind, key);
    },
    all: (kind) => view.all(kind),
    bindingsOn: (cluster) => shown(view.bindingsOn(cluster)),
    bindingsLeaving: (cluster) => shown(view.bindingsLeaving(cluster)),
    attachedTo: (parent) => shown(view.attachedTo(parent)),
    get fleet() {
      return view.fleet;
    },
    hooks,
  };
}

/** The changes of a view, for controllers and for code that waits for a change. */
function changesOf({ subscribe, view }: LiveView) {
  const listeners = new Set<(change: Change) => void>();
  let changed = false;
  let wakeUp: (() => void) | undefined;
  const wake = () => {
    changed = true;
    wakeUp?.();
  };
  const keys = { namespaced: new Set<string>(), others: new Set<string>() };
  const onChange = (change: Change) => {
    if (change.kind === 'Binding' && !(change.before && change.after)) {
      const { key, after } = change;
      const known = (after ?? change.before)?.metadata.namespace ? keys.namespaced : keys.others;
      if (after) known.add(key);
      else known.delete(key);
    }
    for (const listener of listeners) listener(change);
    wake();
  };
  subscribe(onChange);
  return {
    wake,
    /** All bindings, in the server's list order. */
    *bindings(seen: View): Iterable<ResourceBinding> {
      for (const some of [keys.namespaced, keys.others])
        for (const key of some) {
          const binding = seen.get('Binding', key);
          if (binding) yield binding;
        }
    },
    /** Reports a binding again. */
    notify(binding: ResourceBinding) {
      const after = view.get('Binding', bindingKey(binding));
      if (after) onChange({ kind: 'Binding', key: bindingKey(after), before: after, after });
    },
    subscribe(listener: (change: Change) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /**
     * Waits for a change, at most this many milliseconds, or until the signal aborts; returns at once if there was one
     * since the last call. Resolves to whether there was a change.
     */
    async change(milliseconds: number, pause: Pause, signal: AbortSignal): Promise<boolean> {
      if (!changed) {
        const woken = linkedSignal(signal);
        wakeUp = () => woken.abort();
        await pause(milliseconds, woken.signal);
        woken.release();
        wakeUp = undefined;
      }
      const found = changed;
      changed = false;
      return found;
    },
  };
}

/** Whether an earlier run has started this drain. */
function isResumed(drained: readonly Cluster[], { workloads }: DrainStep): boolean {
  return (
    drained.some((cluster) => drainMarkOf(cluster) !== undefined) ||
    workloads.some(({ phase }) => !['queued', 'stays', 'skipped'].includes(phase))
  );
}

/** Two drains that overwrite each other's mark on a cluster would never end, so the later one continues. */
function overwrittenMark(
  { writes }: DrainStep,
  marked: readonly string[],
  options: DrainOptions,
): string | undefined {
  const overwritten = writes.find(
    (write) => write.kind === 'Cluster' && marked.includes(write.key) && isOfOtherDrain(write.base, options),
  );
  return (
    overwritten && `another drain of Cluster ${overwritten.key} with other options has started and continues`
  );
}

/** Why a drain ended unfinished; undefined if it is finished. */
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
