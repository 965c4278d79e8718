import { explainTaintPolicies } from '../../analysis/taintPolicy/explain.ts';
import { listTaintPolicies } from '../../analysis/taintPolicy/list.ts';
import { unconfirmed, type AnsweredAssumption } from '../../karmada/configuration/answeredAssumption.ts';
import type { Ports } from '../ports.ts';
import { knownCluster } from '../selection/knownCluster.ts';
import { openStateToRead, type OpenedState } from '../state/openState.ts';
import type { StateRequest } from '../state/stateRequest.ts';
import { knownPolicy } from './knownPolicy.ts';
import { POLICY_KINDS } from './policyKinds.ts';

/** The assumptions that answers about policies rest on. */
const ABOUT = new Set(['now', 'karmadaVersion', 'Failover']);

export interface ListedPolicies {
  list: ReturnType<typeof listTaintPolicies>;
  /** epoch milliseconds */
  now: number;
  karmadaVersion: string;
  assumptions: AnsweredAssumption[];
}

/** The ClusterTaintPolicies of a state, where their taints are, and taints that no policy explains. */
export async function listPolicies(request: StateRequest, ports: Ports): Promise<ListedPolicies> {
  const { world, configuration, now, ...rest } = await openPolicies(request, ports);
  const list = listTaintPolicies(world, configuration, now, unconfirmed(rest.assumptions));
  return { list, now, ...rest };
}

/** Which policies to explain, on which cluster, and a condition to suppose; all if nothing is set. */
export interface PolicyQuestion {
  state: StateRequest;
  policy?: string | undefined;
  cluster?: string | undefined;
  asked?: { type: string; status: string } | undefined;
}

export interface ExplainedPolicies {
  explanation: ReturnType<typeof explainTaintPolicies>;
  /** the name of the policy that was asked for */
  policy: string | undefined;
  /** and of the cluster */
  cluster: string | undefined;
  karmadaVersion: string;
  assumptions: AnsweredAssumption[];
}

/**
 * What policies do to each taint of each cluster, and what would happen next. Rejects with a Problem for unknown names.
 */
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
    unconfirmed: unconfirmed(rest.assumptions),
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
