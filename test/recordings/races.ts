import type { ResourceBinding, Work } from '../../src/karmada/api/work.ts';
import { objectsAt } from './moments.ts';
import type { Recording } from './recording.ts';
import { keyOf, type ReplayResult, type Step } from './replay.ts';
import { ownerOf, workKey } from './workSteps.ts';

type Different = ReplayResult['different'][number];

/** Milliseconds that Karmada's steps come sooner or later by chance. */
const MOMENT = 1000;

/** What is needed beside two ways of a binding to see whether their difference counts. */
export interface RaceFacts {
  recording: Recording;
  /** epoch milliseconds at which the simulation starts */
  at: number;
  /** bindings that take the recorded steps once the simulation is told when members really failed */
  sameWithFailures?: ReadonlySet<string>;
  /** of each binding, the members that run its workload without a Work at that moment */
  leftBehind: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * The rule by which a difference does not count: Karmada itself leaves to chance what happens first, so that the same
 * incident goes both ways, or it rests on what neither the captured state nor the scenario can say. Undefined for a
 * difference that counts. docs/fidelity.md lists the rules.
 */
export function raceOf({ binding, recorded, simulated }: Different, facts: RaceFacts): string | undefined {
  const { at } = facts;
  const { until } = facts.recording;
  if (sameSteps(lasting(recorded, until), lasting(simulated, until)))
    return 'a placement that lasted less than a second';
  const early = (steps: Step[]) => steps.filter(({ time }) => time === at || time < until - 2 * MOMENT);
  const [real, ours] = [early(recorded), early(simulated)];
  if (real.length + ours.length < recorded.length + simulated.length && isPrefix(real, ours))
    return 'the recording ends within two seconds of the step';
  if (facts.sameWithFailures?.has(binding)) return 'agrees if it is told when members really failed';
  const parting = recorded.findIndex(({ placement }, i) => placement !== simulated[i]?.placement);
  const before = recorded[(parting === -1 ? recorded.length : parting) - 1]?.placement ?? '';
  const left = facts.leftBehind.get(binding) ?? new Set();
  if (before.split(/[ ×]/).some((cluster) => left.has(cluster)))
    return 'a member still runs a copy that no Work tells of, left there before';
  return undefined;
}

/** The members that run a workload which no Work asks them for, of each binding: preserved there, or forgotten. */
export function leftBehind(recording: Recording, at: number): Map<string, Set<string>> {
  const objects = objectsAt(recording, at);
  const works = new Set(
    objects.filter(({ kind }) => kind === 'Work').map((work) => ownerOf(work as unknown as Work)),
  );
  const running = new Map<string, Set<string>>();
  // what members tell at first was there at the start
  const since = Math.max(at, recording.start + MOMENT);
  for (const row of recording.readiness ?? []) {
    if ('process' in row || Date.parse(row.time) > since) continue;
    const key = `${row.kind} ${row.namespace}/${row.name}`;
    const members = running.get(key) ?? new Set();
    if (row.desired > 0) members.add(row.member);
    else members.delete(row.member);
    running.set(key, members);
  }
  const left = new Map<string, Set<string>>();
  for (const object of objects) {
    if (object.kind !== 'ResourceBinding') continue;
    const { kind, namespace, name } = (object as unknown as ResourceBinding).spec.resource;
    const key = keyOf(object.metadata);
    const members = [...(running.get(`${kind} ${namespace}/${name}`) ?? [])];
    left.set(key, new Set(members.filter((member) => !works.has(workKey(key, member)))));
  }
  return left;
}

function sameSteps(a: Step[], b: Step[]): boolean {
  return a.length === b.length && isPrefix(a, b);
}

/** Whether one is how the other begins. */
function isPrefix(a: Step[], b: Step[]): boolean {
  return a.slice(0, b.length).every(({ placement }, i) => placement === b[i]!.placement);
}

/** Steps without those that lasted for a moment only; the first and the last stay. */
function lasting(steps: Step[], until: number): Step[] {
  const kept = steps.filter(
    ({ time }, i) => i === 0 || i === steps.length - 1 || (steps[i + 1]?.time ?? until) - time >= MOMENT,
  );
  return kept.filter(({ placement }, i) => i === 0 || placement !== kept[i - 1]!.placement);
}
