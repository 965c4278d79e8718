import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { KubernetesObject, ObjectIdentity, ObjectMeta } from '../../../karmada/api/meta.ts';
import { isOtherKind, type OtherObject, type OtherKind } from '../../../karmada/api/otherKinds.ts';
import type { Placement, PropagationPolicy } from '../../../karmada/api/policy.ts';
import type { ResourceBinding, Work } from '../../../karmada/api/work.ts';
import { type CommandLine, valuesOf } from '../../../karmada/configuration/commandLine.ts';
import type { InputNames } from '../../../karmada/configuration/inputNames.ts';
import type { UnknownFlag } from '../../../karmada/configuration/resolveConfiguration.ts';
import type { DeclaredHooks } from '../../../karmada/controllers/view.ts';
import { binaries, type Component } from '../../../karmada/dialects/flags.ts';
import type { Release } from '../../../karmada/dialects/release.ts';
import { claimOf } from '../../../karmada/objects/claims.ts';
import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { identityOf, objectKey, workloadOf } from '../../../karmada/objects/identities.ts';
import { policyIdentity } from '../../../karmada/objects/policies.ts';
import { type ClusterFacts, placementSelects } from '../../../karmada/objects/placement.ts';
import { worksOfBinding } from '../../../karmada/objects/worksOfBinding.ts';
import { schedulerSnapshot, type ClusterSnapshot } from '../../../karmada/scheduling/clusterSnapshot.ts';
import { factsOfClusters } from '../../../karmada/selection/clusterAffinity.ts';
import { declaredHooks } from '../../../karmada/status/healthInterpreter.ts';
import type { World } from '../../../karmada/world.ts';
import {
  createWorkloadSummaries,
  runsByStatus,
  type WorkloadSummary,
} from '../../explanation/workloadNow.ts';
import { groupedBy } from '../../../kubernetes/nonEmpty.ts';
import { lazily, lazilyFor } from '../../../kubernetes/lazily.ts';
import type { KnownConfiguration } from '../../../karmada/configuration/assumptions.ts';

/** The version of a component, by the tag of its image. */
interface RunningVersion {
  component: Component;
  version: string;
  /** "Deployment karmada-system/karmada-scheduler" */
  source: string;
}

/** A control plane to examine. */
export interface Examination extends KnownConfiguration {
  world: World;
  /** the bindings in question: all, or those of a namespace or with labels */
  bindings: readonly ResourceBinding[];
  /** epoch milliseconds */
  now: number;
  proven: ReadonlyMap<string, string>;
  release: Release;
  /** "v1.18.2" */
  karmadaVersion: string;
  commandLines: readonly CommandLine[];
  versions: readonly RunningVersion[];
  unknownFlags: readonly UnknownFlag[];
  /** whether --skipped-propagating-namespaces excludes a namespace */
  skipsNamespace(namespace: string): boolean;
  names: InputNames;
  /** clusters whose failure is in question; absent: any cluster */
  failing?: readonly string[];
  /** the question is about cluster failover; otherwise whether it is in use is read from the objects */
  isWanted?: boolean;
  /** its objects are manifests, whether or not a policy places them */
  isWritten?: boolean;
}

/** Data shared by checks: each part is computed on first use. */
export interface Examined extends Examination {
  clusters(): ReadonlyMap<string, Cluster>;
  facts(): ClusterFacts;
  snapshot(): ClusterSnapshot;
  /** the workloads that may be down or Unhealthy */
  doubtful(): readonly WorkloadSummary[];
  hooks(): DeclaredHooks;
  /** the bindings in question, by the `objectKey` of their workloads */
  byWorkload(): ReadonlyMap<string, ResourceBinding>;
  /** all bindings, in the same form */
  allByWorkload(): ReadonlyMap<string, ResourceBinding>;
  /** all bindings, by the `policyKey` of the policy that claims them */
  byPolicy(): ReadonlyMap<string, readonly ResourceBinding[]>;
  worksOf(binding: ResourceBinding): ReadonlyMap<string, Work>;
  /** namespaces in which components of Karmada run */
  componentSpaces(): ReadonlySet<string>;
  /** `placementSelects`, cached for equal placements */
  selects(placement: Placement | undefined, cluster: string): boolean;
  /** of a binding or a template */
  policyOf(claimed: Pick<ResourceBinding, 'metadata'>): PropagationPolicy | undefined;
  ofKind(kind: string): readonly KubernetesObject[];
  /** the object of this kind and name, if it is in the state */
  object(of: ObjectIdentity): KubernetesObject | undefined;
  /** the objects of a kind whose fields rules read, in the version that is read */
  othersOf<Kind extends OtherKind>(kind: Kind): readonly OtherObject<Kind>[];
}

/** A key of equal placements: each binding of a policy has its own copy. */
export const placementText: (placement: Placement) => string = lazilyFor((placement) =>
  JSON.stringify(placement),
);

/** Identifies the policy that claims a binding; '' without one. */
export function policyKey({ metadata }: ResourceBinding): string {
  const claim = claimOf(metadata);
  return claim ? objectKey(claim) : '';
}

export function examine(examination: Examination): Examined {
  const { world, configuration } = examination;
  const clusters = lazily(() => new Map(world.clusters.map((one) => [one.metadata.name, one])));
  const works = lazily(() => worksOfBinding(world.works, world.bindings));
  const policies = lazily(() => policiesByName(world.policies));
  const claims = new Map<ObjectMeta, PropagationPolicy | undefined>();
  const kinds = lazily((): ReadonlyMap<string, readonly KubernetesObject[]> =>
    groupedBy(world.others, ({ kind }) => kind),
  );
  const byName = new Map<string, ReadonlyMap<string, KubernetesObject>>();
  const facts = lazily(() =>
    factsOfClusters((name) => clusters().get(name), configuration.rules.scheduling, world.clusters),
  );
  const selected = new Map<string, Map<string, boolean>>();
  const keyed = (bindings: readonly ResourceBinding[]) =>
    new Map(bindings.map((one) => [objectKey(workloadOf(one)), one]));
  const byWorkload = lazily(() => keyed(examination.bindings));
  const isAll = examination.bindings.length === world.bindings.length;
  return {
    ...examination,
    clusters,
    facts,
    selects(placement, cluster) {
      if (!placement) return true;
      const known = getOrAdd(selected, placementText(placement), () => new Map<string, boolean>());
      return getOrAdd(known, cluster, () => placementSelects(placement, cluster, facts()));
    },
    componentSpaces: lazily(
      () =>
        new Set(
          examination.commandLines.flatMap(({ component }) =>
            runningObject(component, examination).map(({ namespace = '' }) => namespace),
          ),
        ),
    ),
    snapshot: lazily(() => schedulerSnapshot(world.clusters, world.bindings, configuration)),
    doubtful: lazily(() => {
      const bindings = examination.bindings.filter((one) => !runsByStatus(one, clusters()));
      return createWorkloadSummaries()({ ...world, bindings }, configuration);
    }),
    hooks: lazily(() => declaredHooks(world.others, configuration.rules)),
    byWorkload,
    byPolicy: lazily(() => groupedBy(world.bindings, policyKey)),
    allByWorkload: isAll ? byWorkload : lazily(() => keyed(world.bindings)),
    worksOf: (binding) => works()(binding),
    policyOf: ({ metadata }) => {
      if (claims.has(metadata)) return claims.get(metadata);
      const claim = claimOf(metadata);
      const policy =
        claim &&
        policies()
          .get(claim.namespace ?? '')
          ?.get(claim.name);
      claims.set(metadata, policy);
      return policy;
    },
    ofKind: (kind) => kinds().get(kind) ?? [],
    object: (of) => {
      const named = getOrAdd(byName, of.kind, () => firstByKey(kinds().get(of.kind) ?? []));
      return named.get(objectKey(of));
    },
    othersOf: (kind) => (kinds().get(kind) ?? []).filter((one) => isOtherKind(one, kind)),
  };
}

/** Kinds of different groups may share name and namespace: the first object wins. */
function firstByKey(objects: readonly KubernetesObject[]): Map<string, KubernetesObject> {
  return new Map(objects.toReversed().map((one) => [objectKey(identityOf(one)), one]));
}

/** By namespace ('' for cluster-wide ones), then by name. */
function policiesByName(policies: readonly PropagationPolicy[]): Map<string, Map<string, PropagationPolicy>> {
  const found = new Map<string, Map<string, PropagationPolicy>>();
  for (const policy of policies) {
    const { namespace = '', name } = policyIdentity(policy);
    getOrAdd(found, namespace, () => new Map<string, PropagationPolicy>()).set(name, policy);
  }
  return found;
}

/** "karmada-controller-manager v1.18.2" */
export function componentText(component: Component, { versions, karmadaVersion }: Examination): string {
  const running = versions.find((one) => one.component === component);
  return `${binaries[component]} ${running?.version ?? karmadaVersion}`;
}

/** The object that runs a component, if it is in the state. */
export function runningObject(component: Component, seen: Examination): ObjectIdentity[] {
  const { source } = lineOf(component, seen) ?? {};
  const [, kind, namespace, name] = /^(\S+) (?:([^/\s]+)\/)?(\S+)$/.exec(source ?? '') ?? [];
  return kind && name ? [{ kind, ...(namespace && { namespace }), name }] : [];
}

/** How a component was started, if the state shows it. */
export function lineOf(of: Component, { commandLines }: Examination): CommandLine | undefined {
  return commandLines.find(({ component }) => component === of);
}

/** The value of a component's flag that no rule reads: the last occurrence wins. */
export function flagOf(of: Component, flag: string, seen: Examination): string | undefined {
  return valuesOf(lineOf(of, seen), flag).at(-1);
}
