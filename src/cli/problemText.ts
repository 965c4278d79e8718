import type { ObjectIdentity } from '../karmada/api/meta.ts';
import { rfc3339, rfc3339Milliseconds } from '../kubernetes/time.ts';
import type { ClusterInput, ProblemData, SettingProblem } from '../useCases/problem.ts';
import { nearMatches } from '../kubernetes/spelling.ts';
import { workloadName } from '../views/words/names.ts';
import { withSuggestion } from './errors.ts';
import { flagNames } from './flagNames.ts';

/** Advice if no name is similar. */
const SPELLED = 'check the name, and whether a policy propagates it';

/** The most names in a message. */
const MAX = 10;

type Coded<Code extends ProblemData['code']> = Extract<ProblemData, { code: Code }>;

/** A problem of a use case in the terms of the command line: one line with the flag and the fix. */
export function problemText(problem: ProblemData): string {
  return (TEXTS[problem.code] as (problem: ProblemData) => string)(problem);
}

const TEXTS: { readonly [Code in ProblemData['code']]: (problem: Coded<Code>) => string } = {
  'unknown-cluster': unknownClusterText,
  'unknown-area'({ property, value, known }) {
    const message = `--fail-${property}: no cluster has the ${property} "${value}"`;
    const there = known.length > 0 ? `there are ${known.join(', ')}` : `no cluster has a ${property}`;
    return withSuggestion(message, nearMatches(value, known), there);
  },
  'unknown-check': ({ input, name, known, themes }) =>
    withSuggestion(
      `--${input} ${name}: there is no such check or theme`,
      nearMatches(name, known),
      `themes are ${themes.join(', ')}; docs/checks.md lists the checks`,
    ),
  'unknown-taint-policy'({ policy, known }) {
    const there = known.length > 0 ? `there are ${known.slice(0, MAX).join(', ')}` : 'there are none';
    return withSuggestion(`there is no ClusterTaintPolicy "${policy}"`, nearMatches(policy, known), there);
  },
  'empty-state': ({ files }) =>
    `--state ${files.join(', ')}: holds no object; give the output of kubectl get clusters,resourcebindings,… -A -o json, or a snapshot (docs/state.md)`,
  'instant-of-simulation': ({ given, end }) =>
    `--at ${given}: a simulation saved this state at ${rfc3339Milliseconds(end)}, and continues from there; remove --at`,
  'recording-no-file': ({ name }) =>
    `${name}: a recording is read twice here; give its file, not stdin or a pipe`,
  'states-not-in-order': ({ from, until }) =>
    `--from is a state of ${rfc3339(from)}, newer than the compared state of ${rfc3339(until)}; give the older one to --from`,
  'moment-of-no-recording': ({ given }) =>
    `--at ${given}: only a recording has several times; name one with --state, or remove --at`,
  'no-instant': ({ clusters }) =>
    clusters === 0
      ? 'the state has no Cluster, nor a timestamp to use as the current time; add the output of kubectl get clusters -o json from the Karmada API server (docs/state.md)'
      : 'the state has no timestamp to use as the current time; give --at TIME',
  assumption({ where, message, unknown }) {
    const input = unknown && ASSUMED_OTHERWISE.get(unknown.typed);
    if (input)
      return `${where}: ${unknown.typed} is neither a feature gate nor a flag of Karmada; give it with ${input}`;
    const near = unknown ? nearMatches(unknown.typed, unknown.known) : [];
    const otherwise = unknown ? `choose from ${unknown.known.join(', ')}` : '';
    return `${where}: ${withSuggestion(message, near, otherwise)}`;
  },
  scenario: ({ source, message }) => (source === undefined ? message : `${source}: ${message}`),
  'until-before-start'({ given, source, start }) {
    const what = given === undefined ? `until of ${source}` : `--until ${given}`;
    return `${what} is before the start of the simulation, ${rfc3339(start)}; give a later one`;
  },
  settings: ({ problems }) => problems.map(settingText).join('; '),
  'empty-namespace'({ namespace, known }) {
    const message = `no bindings in namespace ${namespace}`;
    if (known.length === 0) return `${message}; check the name, and the control plane`;
    const there = `there are some in ${known.slice(0, MAX).join(', ')}`;
    return withSuggestion(message, nearMatches(namespace, known), there);
  },
  'two-namespaces': ({ target, namespace }) =>
    `${target} and --namespace ${namespace} name two namespaces; give one`,
  'no-target'({ target, same }) {
    const form = 'write deployment/cart, shop/deployment/cart or rb/cart-deployment';
    return withSuggestion(`"${target}" is not KIND/NAME`, same, form);
  },
  'no-binding': noBindingText,
  'many-namespaces': ({ target, namespaces }) =>
    `${target} exists in the namespaces ${namespaces.join(', ')}; choose one with -n NAMESPACE`,
  'many-bindings': ({ target, names }) =>
    `${target} names several bindings: ${names.join(', ')}; name one of them`,
  'many-evictions': ({ binding, clusters }) =>
    `${binding} is being evicted from ${clusters.join(' and ')}; choose one with --from`,
  'no-workload'({ input, name, workloads }) {
    const typed = workloads.map((one) => typedAs(name, one));
    const whole = nearMatches(name, typed);
    // an abbreviated kind is not similar to the full one
    const names = nearMatches(
      name.slice(name.lastIndexOf('/') + 1),
      workloads.map((one) => one.name),
    );
    const named = workloads.filter((one) => names.includes(one.name)).map((one) => typedAs(name, one));
    const near = whole.length > 0 ? whole : named;
    return withSuggestion(`--${input} ${name}: there is no such workload`, near, SPELLED);
  },
  'no-kind'({ kind, known }) {
    const message = `--kind ${kind}: there is no workload of this kind`;
    const there = known.length > 0 ? `there are ${known.slice(0, MAX).join(', ')}` : '';
    return withSuggestion(message, nearMatches(kind, known), there);
  },
  'no-policy': ({ policy }) =>
    `--policy ${policy}: there is no workload that this policy places; write NAMESPACE/NAME, or NAME of a ClusterPropagationPolicy`,
  'no-labels': () =>
    '--selector: there is no workload with these labels; they are those of the workload, not of its binding',
  'no-targets': ({ annotation }) =>
    `--fail-on rto: no workload has a recovery target; give --rto 5m, or the annotation ${annotation}`,
};

/** An assumption listed by answers that `--assume` does not set. */
const ASSUMED_OTHERWISE: ReadonlyMap<string, string> = new Map([
  ['now', flagNames.at],
  ['karmadaVersion', flagNames.version],
  ['workloadReadyAfter', flagNames.readyAfter],
]);

/** The problem of a setting, in one line. */
export function settingText({ place, message, unknown }: SettingProblem): string {
  const near = unknown ? nearMatches(unknown.typed, unknown.known) : [];
  const otherwise = unknown ? `choose from ${unknown.known.join(', ')}` : '';
  return `${place}: ${withSuggestion(message, near, otherwise)}`;
}

/** The start of the message, and whose clusters it lists, by the input that named a cluster. */
const CLUSTERS: Record<ClusterInput, { before: string; of: 'state' | 'control plane' }> = {
  clusters: { before: '', of: 'control plane' },
  status: { before: '', of: 'state' },
  timeline: { before: '', of: 'state' },
  from: { before: '--from: ', of: 'control plane' },
  fail: { before: '--fail: ', of: 'state' },
  recover: { before: '--recover: ', of: 'state' },
  taint: { before: '--taint: ', of: 'state' },
  ifFails: { before: '--if-fails: ', of: 'state' },
  cluster: { before: '--cluster: ', of: 'state' },
  drain: { before: 'drain: ', of: 'state' },
  cancel: { before: 'drain --cancel: ', of: 'state' },
};

function unknownClusterText({ input, cluster, known }: Coded<'unknown-cluster'>): string {
  const { before, of } = CLUSTERS[input];
  const where = of === 'state' ? ' in the state' : '';
  const there = of === 'state' ? 'it has' : 'there are';
  const others = known.length > 0 ? `${there} ${known.slice(0, MAX).join(', ')}` : `${there} no clusters`;
  return withSuggestion(
    `${before}there is no cluster "${cluster}"${where}`,
    nearMatches(cluster, known),
    others,
  );
}

function noBindingText(problem: Coded<'no-binding'>): string {
  const { target, namespace, elsewhere, same, names, broken } = problem;
  if (broken) return `${target} has no binding, so no cluster gets it. ${broken.message} [${broken.check}]`;
  const message = `no binding for ${target} ${namespace === undefined ? 'in the state' : `in namespace ${namespace}`}`;
  if (elsewhere.length > 0) return `${message}; there is one in ${elsewhere.join(', ')}`;
  const [kind = '', name = ''] = target.split('/').slice(-2);
  const near = same.length > 0 ? same : nearMatches(name, names).map((one) => `${kind}/${one}`);
  return withSuggestion(message, near, SPELLED);
}

/** A workload as typed: with or without its namespace. */
function typedAs(typed: string, workload: ObjectIdentity): string {
  const name = workloadName(workload);
  return typed.split('/').length === 2 ? name.split('/').slice(-2).join('/') : name;
}
