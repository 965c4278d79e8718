import type { NamedObject, ObjectNames } from './liveNames.ts';
import { executionCluster } from '../../karmada/api/names.ts';
import { matchesKind, parseKind } from '../../kubernetes/resourceNames.ts';
import {
  type ApiResource,
  CLUSTERS,
  CLUSTER_RESOURCE_BINDINGS,
  CLUSTER_TAINT_POLICIES,
  RESOURCE_BINDINGS,
} from '../../state/live/resources.ts';
import type { Candidate, NameKind, Names } from './completions.ts';
import type { TypedLine } from './typedLine.ts';

const NAMESPACES: ApiResource = {
  kind: 'Namespace',
  group: '',
  version: 'v1',
  resource: 'namespaces',
  namespaced: false,
};
const policy = (kind: string, resource: string, namespaced: boolean): ApiResource => ({
  kind,
  group: 'policy.karmada.io',
  version: 'v1alpha1',
  resource,
  namespaced,
});
const POLICIES = [
  policy('PropagationPolicy', 'propagationpolicies', true),
  policy('ClusterPropagationPolicy', 'clusterpropagationpolicies', false),
];

/** Looks up names. Omits names from a live control plane that have not arrived when the signal aborts. */
export function namesWithin(signal: AbortSignal, environment: NodeJS.ProcessEnv): Names {
  return (kind, line) => lookUp(kind, line, signal, environment).catch(() => []);
}

async function lookUp(
  kind: NameKind,
  line: TypedLine,
  signal: AbortSignal,
  environment: NodeJS.ProcessEnv,
): Promise<Candidate[]> {
  switch (kind) {
    case 'contexts':
    case 'kubeconfigClusters':
    case 'users':
      return fromKubeconfig(kind, line, environment);
    case 'versions': {
      const { knownProposals, knownVersions } = await import('../../karmada/dialects/dialects.ts');
      return [...knownVersions, ...knownProposals].map((word) => ({ word }));
    }
  }
  const paths = values(line, 'state');
  const objects =
    paths.length > 0
      ? (await import('./stateNames.ts')).stateNames(paths)
      : await namesOfServer(connection(line), signal);
  const namespace = values(line, 'namespace').at(-1);
  switch (kind) {
    case 'clusters':
      return (await objects(CLUSTERS, undefined)).map(({ name: word, description }) => ({
        word,
        description,
      }));
    case 'namespaces':
      return unique(
        (await objects(NAMESPACES, undefined))
          .map(({ name }) => name)
          // execution namespaces contain Works, never workloads
          .filter((name) => executionCluster(name) === undefined),
      );
    case 'policies': {
      const found = await Promise.all(POLICIES.map((resource) => objects(resource, undefined)));
      return unique(found.flat().map((one) => (one.namespace ? `${one.namespace}/${one.name}` : one.name)));
    }
    case 'taintPolicies':
      return unique((await objects(CLUSTER_TAINT_POLICIES, undefined)).map(({ name }) => name));
    case 'workloads': {
      const resources =
        namespace === undefined ? [RESOURCE_BINDINGS, CLUSTER_RESOURCE_BINDINGS] : [RESOURCE_BINDINGS];
      const found = await Promise.all(resources.map((resource) => objects(resource, namespace)));
      const typedKind = /^([^/]+)\//.exec(line.at.typed)?.[1];
      return unique(
        found.flatMap((list, index) =>
          list.flatMap(({ name }) => workloadWords(name, resources[index]!, typedKind)),
        ),
      );
    }
  }
}

/** Names from a live control plane. The signal aborts all requests. */
async function namesOfServer(flags: Record<string, unknown>, signal: AbortSignal): Promise<ObjectNames> {
  const { liveNames } = await import('./liveNames.ts');
  const objects = liveNames(flags, signal);
  const end = new Promise<NamedObject[]>((resolve) => {
    if (signal.aborted) resolve([]);
    else signal.addEventListener('abort', () => resolve([]), { once: true });
  });
  return (...asked) => Promise.race([objects(...asked).catch(() => []), end]);
}

/**
 * KIND/NAME of a binding's workload; the binding is called NAME-KIND in lower case (names.GenerateBindingName). A typed kind stays as
 * typed.
 */
function workloadWords(
  binding: string,
  { group, version, kind: own }: ApiResource,
  typedKind: string | undefined,
): string[] {
  const dash = binding.lastIndexOf('-');
  const [name, kind] = [binding.slice(0, dash), binding.slice(dash + 1)];
  if (dash <= 0) return [];
  if (typedKind === undefined) return [`${kind}/${name}`];
  const typed = parseKind(typedKind);
  if (matchesKind(typed, `${group}/${version}`, own)) return [`${typedKind}/${binding}`];
  // the binding's name lacks the group
  return matchesKind({ name: typed.name }, '', kind) ? [`${typedKind}/${name}`] : [];
}

function unique(words: string[]): Candidate[] {
  return [...new Set(words)].sort().map((word) => ({ word }));
}

function values({ given }: TypedLine, flag: string): string[] {
  return (given.get(flag) ?? []).filter((value) => value !== true);
}

/** The connection flags; explain's --cluster names a member, so it is not one of them. */
function connection({ given, command }: TypedLine): Record<string, unknown> {
  const flags = [...given].filter(
    ([name]) => name !== 'cluster' || command?.flags['cluster']?.helpValue === 'NAME',
  );
  return Object.fromEntries(
    flags.map(([name, all]) => [name, command?.flags[name]?.multiple ? all : all.at(-1)]),
  );
}

async function fromKubeconfig(
  kind: 'contexts' | 'kubeconfigClusters' | 'users',
  line: TypedLine,
  environment: NodeJS.ProcessEnv,
): Promise<Candidate[]> {
  const { loadKubeconfig } = await import('../../state/live/connection/kubeconfig.ts');
  const { at } = line;
  const ofHost =
    at.part === 'value' && at.flag.name === 'host-context'
      ? values(line, 'host-kubeconfig').at(-1)
      : undefined;
  const config = await loadKubeconfig(ofHost ?? values(line, 'kubeconfig').at(-1), environment);
  const entries = { contexts: config.contexts, kubeconfigClusters: config.clusters, users: config.users }[
    kind
  ];
  return unique([...entries.keys()]);
}
