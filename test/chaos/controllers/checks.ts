import type { BindingVersion } from '../../e2e/monitor.ts';
import type { HealthReport } from '../../e2e/members/simulatedClusters.ts';
import type { Finding } from '../checks.ts';
import type { ChaosWorkload } from './load.ts';

/** A cluster that failed, and came back: epoch milliseconds before the one and after the other. */
export interface Round {
  cluster: string;
  from: number;
  until: number;
}

/** Everything that happened, as the API server reported it. */
export interface ControllerHistory {
  load: readonly ChaosWorkload[];
  /** by "namespace/name", all versions */
  bindings: ReadonlyMap<string, BindingVersion[]>;
  rounds: readonly Round[];
  reports: readonly HealthReport[];
}

interface Course {
  before: BindingVersion;
  after: BindingVersion[];
}

/** A binding at the start of a round, and at its end. */
function courseIn(versions: readonly BindingVersion[], { from, until }: Round): Course | undefined {
  const before = versions.findLast(({ time }) => time <= from);
  return before && { before, after: versions.filter(({ time }) => time > from && time <= until) };
}

const isOn = ({ clusters }: BindingVersion, cluster: string) => clusters.some(({ name }) => name === cluster);

function* courses({ load, bindings, rounds }: ControllerHistory) {
  for (const round of rounds)
    for (const workload of load) {
      const course = courseIn(bindings.get(workload.binding) ?? [], round);
      if (course) yield { round, workload, ...course };
    }
}

/** Bindings unknown when a cluster failed, which cannot be judged. */
function unseen({ load, bindings, rounds }: ControllerHistory): string[] {
  return rounds.flatMap((round) =>
    load
      .filter(({ binding }) => !courseIn(bindings.get(binding) ?? [], round))
      .map(({ binding }) => `${binding} was not there before ${round.cluster} failed`),
  );
}

/** A binding leaves a failed cluster at most once, with one task, and no other cluster. */
export function evictedOnce(history: ControllerHistory): Finding {
  const violations: string[] = [];
  let evictions = 0;
  for (const { round, workload, before, after } of courses(history)) {
    const left = new Map<string, number>();
    const tasks = new Map<string, number>();
    let last = before;
    for (const version of after) {
      for (const { name } of last.clusters) if (!isOn(version, name)) add(left, name);
      for (const name of version.leaving) if (!last.leaving.includes(name)) add(tasks, name);
      last = version;
    }
    for (const [cluster, times] of tasks) {
      evictions += times;
      if (cluster !== round.cluster)
        violations.push(`${workload.binding} was evicted from ${cluster}, which was well`);
      else if (times > 1) violations.push(`${workload.binding} was evicted from ${cluster} ${times} times`);
      else if (workload.course === 'stays')
        violations.push(`${workload.binding} was evicted from ${cluster}, but stays`);
    }
    for (const [cluster, times] of left)
      if (times > 1) violations.push(`${workload.binding} left ${cluster} ${times} times`);
  }
  return { what: 'nothing is evicted twice, or without need', figure: `${evictions} evictions`, violations };
}

/** At the end of each round everything that had to leave runs elsewhere, without a task; everything else stayed. */
export function noneLost(history: ControllerHistory): Finding {
  const violations = unseen(history);
  let held = 0;
  for (const { round, workload, before, after } of courses(history)) {
    if (!isOn(before, round.cluster)) continue;
    held++;
    const end = after.at(-1) ?? before;
    const { binding } = workload;
    if (end.leaving.length > 0) violations.push(`${binding} has still a task for ${end.leaving.join(', ')}`);
    if (workload.course === 'stays') {
      if (!isOn(end, round.cluster)) violations.push(`${binding} has left ${round.cluster}`);
    } else if (isOn(end, round.cluster)) violations.push(`${binding} is still on ${round.cluster}`);
    else if (end.clusters.length === 0) violations.push(`${binding} is nowhere`);
  }
  return { what: 'nothing is forgotten', figure: `${held} bindings on failed clusters`, violations };
}

/** Between the start and the end of a task, agents reported the workload as healthy wherever it was placed by then. */
export function tasksEndReady({ load, bindings, reports }: ControllerHistory): Finding {
  const said = new Map<string, HealthReport[]>();
  for (const report of reports) {
    const key = `${report.workload} ${report.cluster}`;
    const known = said.get(key);
    if (known) known.push(report);
    else said.set(key, [report]);
  }
  const violations: string[] = [];
  let ended = 0;
  for (const { binding, workload } of load) {
    const begun = new Map<string, number>();
    for (const { time, clusters, leaving } of bindings.get(binding) ?? []) {
      for (const task of leaving) if (!begun.has(task)) begun.set(task, time);
      for (const [task, since] of begun) {
        if (leaving.includes(task)) continue;
        begun.delete(task);
        ended++;
        if (clusters.length === 0)
          violations.push(`${binding}: the task for ${task} went, and it is nowhere`);
        for (const { name } of clusters) {
          const newest = said.get(`${workload} ${name}`)?.findLast((report) => report.time <= time);
          if (!newest?.healthy || newest.time < since)
            violations.push(`${binding}: the task for ${task} went before ${name} was said to be healthy`);
        }
      }
    }
  }
  return { what: 'no task ends before its replacement is ready', figure: `${ended} tasks`, violations };
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
