import { explainTaintPolicies } from '../../analysis/taintPolicy/explain.ts';
import { listTaintPolicies } from '../../analysis/taintPolicy/list.ts';
import { unverified, type DatedBasis, type Basis } from '../../karmada/configuration/assumptions.ts';
import type { World } from '../../karmada/world.ts';
import type { Ports } from '../ports.ts';
import { Problem } from '../problem.ts';
import { knownCluster } from '../selection/selection.ts';
import { type OpenedState, openStateToRead } from '../state/openState.ts';
import type { StateRequest } from '../state/stateRequest.ts';

/** The assumptions that answers about policies depend on. */
const ABOUT = new Set(['now', 'karmadaVersion', 'ClusterTaintPolicies', 'Failover']);

interface ListedPolicies extends DatedBasis {
  list: ReturnType<typeof listTaintPolicies>;
}

/** The ClusterTaintPolicies of a state, where their taints are, and taints that no policy explains. */
export async function listPolicies(request: StateRequest, ports: Ports): Promise<ListedPolicies> {
  const { world, configuration, now, ...rest } = await openPolicies(request, ports);
  const list = listTaintPolicies(world, configuration, now, unverified(rest.assumptions));
  return { list, now, ...rest };
}

/** The policies and clusters to explain, and a condition to assume; all if nothing is set. */
interface PolicyQuestion {
  state: StateRequest;
  policy?: string | undefined;
  cluster?: string | undefined;
  asked?: { type: string; status: string } | undefined;
}

interface ExplainedPolicies extends Basis {
  explanation: ReturnType<typeof explainTaintPolicies>;
  /** the name of the requested policy */
  policy: string | undefined;
  /** the name of the requested cluster */
  cluster: string | undefined;
}

/** The effect of policies on each taint of each cluster, now and next. Rejects with a Problem for unknown names. */
export async function explainPolicies(
  { state, asked, ...named }: PolicyQuestion,
  ports: Ports,
): Promise<ExplainedPolicies> {
  const { world, configuration, now, ...rest } = await openPolicies(state, ports);
  const policy = named.policy === undefined ? undefined : knownPolicy(named.policy, world);
  const cluster = named.cluster === undefined ? undefined : knownCluster('cluster', named.cluster, world);
  const explanation = explainTaintPolicies(world, configuration, now, {
    policy,
    cluster,
    asked,
    unverified: unverified(rest.assumptions),
  });
  return { explanation, policy, cluster, ...rest };
}

async function openPolicies(
  request: StateRequest,
  ports: Ports,
): Promise<Pick<OpenedState, 'world' | 'configuration' | 'now' | 'karmadaVersion' | 'assumptions'>> {
  const opened = await openStateToRead(request, ports, { kinds: POLICY_KINDS });
  opened.server?.close();
  const { world, configuration, now, karmadaVersion } = opened;
  const assumptions = opened.assumptions.filter(({ name }) => ABOUT.has(name));
  return { world, configuration, now, karmadaVersion, assumptions };
}

const KIND = /^clustertaintpolic(y|ies)(\.policy\.karmada\.io|\.v1alpha1\.policy\.karmada\.io)?(\/|$)/i;

/**
 * The name of a policy, given bare or as kubectl's `-o name` prints it: clustertaintpolicy.policy.karmada.io/network.
 */
export function policyName(given: string): string {
  const name = given.replace(KIND, '');
  return name === '' ? given : name;
}

/** Arguments without the kind that kubectl requires before them: `clustertaintpolicy network`. */
export function withoutKind(given: readonly string[]): readonly string[] {
  const [first = '', ...names] = given;
  return names.length > 0 && !first.includes('/') && KIND.test(first) ? names : given;
}

/** Whether a policy of this name exists, in any form that `knownPolicy` accepts. */
export function isPolicy(given: string, { taintPolicies }: Pick<World, 'taintPolicies'>): boolean {
  return taintPolicies.some(({ metadata }) => metadata.name === policyName(given));
}

/** The name of a policy of the world. Throws a Problem if there is no such policy. */
export function knownPolicy(given: string, { taintPolicies }: Pick<World, 'taintPolicies'>): string {
  const name = policyName(given);
  const known = taintPolicies.map(({ metadata }) => metadata.name).sort();
  if (known.includes(name)) return name;
  throw new Problem({ code: 'unknown-taint-policy', policy: name, known });
}

/** The kinds that determine the effect of ClusterTaintPolicies on clusters. */
const POLICY_KINDS: ReadonlySet<string> = new Set(['Cluster', 'ClusterTaintPolicy']);
