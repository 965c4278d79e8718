import type { ObjectIdentity } from '../karmada/api/meta.ts';
import { rfc3339, rfc3339Milliseconds } from '../kubernetes/time.ts';
import type { ClusterInput, ProblemData } from '../useCases/problem.ts';
import { nearMatches } from '../views/nearMatches.ts';
import { workloadName } from '../views/workloadName.ts';
import { withSuggestion } from './errors.ts';

/** What to look at if nothing has a name, and nothing is like it. */
const SPELLED = 'is it spelled right, and does a policy propagate it?';

/** How many names a message lists at most. */
const MOST = 10;

/** A problem of a use case in the words of the command line: one line that names the flag and says what to do. */
export function problemText(problem: ProblemData): string {
  switch (problem.code) {
    case 'unknown-cluster':
      return unknownClusterText(problem);
    case 'unknown-area': {
      const { property, value, known } = problem;
      const message = `--fail-${property}: no cluster is in ${property} "${value}"`;
      const there = known.length > 0 ? `there are ${known.join(', ')}` : `no cluster has a ${property}`;
      return withSuggestion(message, nearMatches(value, known), there);
    }
    case 'unknown-taint-policy': {
      const { policy, known } = problem;
      const there = known.length > 0 ? `there are ${known.slice(0, MOST).join(', ')}` : 'there are none';
      return withSuggestion(`there is no ClusterTaintPolicy "${policy}"`, nearMatches(policy, known), there);
    }
    case 'taint-policy-form':
      return `ClusterTaintPolicies of ${problem.version} have windows of time (matchConditions, taintsToAdd), of which taint-policy knows only validate; see what they do with failover simulate --apply FILE, or give another --karmada-version`;
    case 'empty-state':
      return `--state ${problem.files.join(', ')}: holds no object; give what kubectl get clusters,resourcebindings,… -A -o json prints, or a snapshot (docs/state.md)`;
    case 'instant-of-simulation': {
      const end = rfc3339Milliseconds(problem.end);
      return `--at ${problem.given}: a simulation saved this state at ${end}, and goes on from there; leave --at out`;
    }
    case 'no-instant':
      return problem.clusters === 0
        ? 'the state has no Cluster, nor a timestamp that could serve as now; add what kubectl get clusters -o json prints, of the Karmada API server (docs/state.md)'
        : 'the state has no timestamp that could serve as now; give --at TIME';
    case 'assumption': {
      const { where, message, unknown } = problem;
      const near = unknown ? nearMatches(unknown.typed, unknown.known) : [];
      const otherwise = unknown ? `known are ${unknown.known.join(', ')}` : '';
      return `${where}: ${withSuggestion(message, near, otherwise)}`;
    }
    case 'scenario':
      return problem.source === undefined ? problem.message : `${problem.source}: ${problem.message}`;
    case 'until-before-start': {
      const { given, source, start } = problem;
      const what = given === undefined ? `until of ${source}` : `--until ${given}`;
      return `${what} lies before the start of the simulation, ${rfc3339(start)}; give a later one`;
    }
    default:
      return selectionText(problem);
  }
}

type SelectionProblem = Exclude<
  ProblemData,
  {
    code:
      | 'unknown-cluster'
      | 'unknown-area'
      | 'unknown-taint-policy'
      | 'taint-policy-form'
      | 'empty-state'
      | 'instant-of-simulation'
      | 'no-instant'
      | 'assumption'
      | 'scenario'
      | 'until-before-start';
  }
>;

/** Problems with the choice of workloads. */
function selectionText(problem: SelectionProblem): string {
  switch (problem.code) {
    case 'empty-namespace': {
      const { namespace, known } = problem;
      const message = `no bindings in namespace ${namespace}`;
      if (known.length === 0) return `${message}; is it spelled right, and on this control plane?`;
      const there = `there are some in ${known.slice(0, MOST).join(', ')}`;
      return withSuggestion(message, nearMatches(namespace, known), there);
    }
    case 'two-namespaces':
      return `${problem.target} and --namespace ${problem.namespace} name two namespaces; give one`;
    case 'no-target': {
      const form = 'write deployment/cart, shop/deployment/cart or rb/cart-deployment';
      return withSuggestion(`"${problem.target}" is not KIND/NAME`, problem.same, form);
    }
    case 'no-binding':
      return noBindingText(problem);
    case 'many-namespaces': {
      const { target, namespaces } = problem;
      return `there is a ${target} in each of the namespaces ${namespaces.join(', ')}; say which with -n NAMESPACE`;
    }
    case 'many-bindings':
      return `${problem.target} names several bindings: ${problem.names.join(', ')}; name one of them`;
    case 'many-evictions':
      return `${problem.binding} is being evicted from ${problem.clusters.join(' and ')}; say which with --from`;
    case 'no-workload': {
      const { input, name, workloads } = problem;
      const typed = workloads.map((one) => typedAs(name, one));
      return withSuggestion(
        `--${input} ${name}: there is no such workload`,
        nearMatches(name, typed),
        SPELLED,
      );
    }
    case 'no-kind': {
      const { kind, known } = problem;
      const message = `--kind ${kind}: there is no workload of this kind`;
      const there = known.length > 0 ? `there are ${known.slice(0, MOST).join(', ')}` : '';
      return withSuggestion(message, nearMatches(kind, known), there);
    }
    case 'no-policy':
      return `--policy ${problem.policy}: there is no workload that this policy places; write NAMESPACE/NAME, or NAME of a ClusterPropagationPolicy`;
    case 'no-labels':
      return '--selector: there is no workload with these labels; they are those of the workload, not of its binding';
  }
}

/** By the input that named a cluster: how the message begins, and whose clusters it lists. */
const CLUSTERS: Record<ClusterInput, { before: string; of: 'state' | 'control plane' }> = {
  clusters: { before: '', of: 'control plane' },
  status: { before: '', of: 'state' },
  from: { before: '--from: ', of: 'control plane' },
  fail: { before: '--fail: ', of: 'state' },
  recover: { before: '--recover: ', of: 'state' },
  taint: { before: '--taint: ', of: 'state' },
  ifFails: { before: '--if-fails: ', of: 'state' },
  cluster: { before: '--cluster: ', of: 'state' },
  drain: { before: 'drain: ', of: 'state' },
  cancel: { before: 'drain --cancel: ', of: 'state' },
};

function unknownClusterText({
  input,
  cluster,
  known,
}: Extract<ProblemData, { code: 'unknown-cluster' }>): string {
  const { before, of } = CLUSTERS[input];
  const where = of === 'state' ? ' in the state' : '';
  const there = of === 'state' ? 'it has' : 'there are';
  const others = known.length > 0 ? `${there} ${known.slice(0, MOST).join(', ')}` : `${there} no clusters`;
  return withSuggestion(
    `${before}there is no cluster "${cluster}"${where}`,
    nearMatches(cluster, known),
    others,
  );
}

function noBindingText({
  target,
  namespace,
  elsewhere,
  same,
  names,
}: Extract<ProblemData, { code: 'no-binding' }>): string {
  const message = `no binding for ${target} ${namespace === undefined ? 'in the state' : `in namespace ${namespace}`}`;
  if (elsewhere.length > 0) return `${message}; there is one in ${elsewhere.join(', ')}`;
  const [kind = '', name = ''] = target.split('/').slice(-2);
  const near = same.length > 0 ? same : nearMatches(name, names).map((one) => `${kind}/${one}`);
  return withSuggestion(message, near, SPELLED);
}

/** A workload in the form that was typed: with its namespace or without. */
function typedAs(typed: string, workload: ObjectIdentity): string {
  const name = workloadName(workload);
  return typed.split('/').length === 2 ? name.split('/').slice(-2).join('/') : name;
}
