import {
  taintEvictionSwitches,
  type TaintEvictionSwitch,
} from '../../../karmada/configuration/taintEviction.ts';
import { startsController } from '../../../karmada/dialects/controllerList.ts';
import { decidingGates } from '../../../karmada/dialects/featureGates.ts';
import { whenFlagDecides } from '../../../karmada/dialects/componentFlags.ts';
import { releasesText } from '../../../karmada/dialects/history.ts';
import { binaries, type Component } from '../../../karmada/dialects/flags.ts';
import { parseVersion } from '../../../karmada/dialects/release.ts';
import { hasOneQueue } from '../../../karmada/configuration/taintEviction.ts';
import { bindingIdentity, workloadOf } from '../../../karmada/objects/identities.ts';
import { isStale, readyCondition } from '../../../karmada/objects/clusterReadiness.ts';
import { evictingEffects, evictingTaints } from '../../../karmada/taints/evictingTaints.ts';
import { policyPass } from '../../../karmada/taints/policyPass.ts';
import { queuePace } from '../../../karmada/taints/evictionPace.ts';
import { isAttached } from '../../../karmada/objects/dependents.ts';
import { placedOn } from '../../../karmada/objects/placement.ts';
import { purgesDirectly } from '../../../karmada/eviction/evictionTasks.ts';
import { taintEvictionPurgeMode } from '../../../karmada/taints/evictionPurgeMode.ts';
import { handledByScheduler } from '../../../karmada/scheduling/wakeUp.ts';
import { DEFAULT_SCHEDULER_NAME } from '../../../karmada/api/names.ts';
import { formatDuration, instant } from '../../../kubernetes/time.ts';
import { ownerOfPlacement } from '../../explanation/changes/change.ts';
import { taintsOnFailure } from '../../explanation/failoverSwitch.ts';
import type { FailoverLink } from '../../explanation/links/link.ts';
import { appliedPlacementLink, tolerationLinks } from '../../explanation/links/taintLinks.ts';
import type { Taint, Toleration } from '../../../karmada/api/meta.ts';
import type { ClusterTaintPolicySpec } from '../../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { componentText, type Examined, runningObject } from './examined.ts';
import { count, patchPolicies, restart, some, someObjects, startController, startWith } from './remedies.ts';
import type { Diagnosed, Example, Remedy, StateCheck } from './stateCheck.ts';

/** Whether the value of a gate or flag is an unverified default. */
function assumedOf(name: string, { unconfirmed, proven }: Examined): Pick<Diagnosed, 'assumed'> {
  return unconfirmed.has(name) && !proven.has(name) ? { assumed: [name] } : {};
}

/**
 * Whether anything shows that cluster failover is wanted: a part of its chain is there, or a cluster is down. It is off by default, and
 * many never ask for it.
 */
export function isWanted({
  world,
  configuration,
  commandLines,
  bindings,
  isWanted: asked,
}: Examined): boolean {
  const line = commandLines.find(({ component }) => component === 'controllerManager');
  const isStarted = line?.flags.some(
    ({ name, value }) =>
      (name === 'feature-gates' && /\bFailover=true\b/.test(value)) ||
      (name === 'enable-no-execute-taint-eviction' && value === 'true'),
  );
  return (
    asked === true ||
    isStarted === true ||
    world.taintPolicies.some(({ spec }) => evictingTaints(asTaints(spec), configuration.rules).length > 0) ||
    world.clusters.some(
      (cluster) =>
        !cluster.metadata.deletionTimestamp &&
        (readyCondition(cluster)?.status === 'False' ||
          evictingTaints(cluster.spec?.taints, configuration.rules).length > 0),
    ) ||
    bindings.some(({ spec }) => spec.failover?.cluster !== undefined)
  );
}

function asTaints({ taints, taintsToAdd }: ClusterTaintPolicySpec): Taint[] {
  return (taints ?? taintsToAdd ?? []).map(({ key, effect }) => ({ key, effect }));
}

/** A switch of karmada-controller-manager that is off, or is taken to be. */
function switchedOff(
  name: TaintEvictionSwitch['name'],
  argument: string,
  since: string,
  seen: Examined,
): Diagnosed[] {
  const { configuration, unconfirmed } = seen;
  const found = taintEvictionSwitches(configuration).find((one) => one.name === name);
  const automatic = name === 'Failover' && configuration.rules.taints.failureTaints === 'automatic';
  const isOff = found ? !found.on : automatic && !configuration.featureGates.Failover;
  if (!isOff) return [];
  const assumed = unconfirmed.has(name);
  const byDefault = since !== '';
  const severity = isWanted(seen)
    ? assumed
      ? 'warning'
      : 'error'
    : byDefault || assumed
      ? 'note'
      : 'warning';
  const what = name === 'Failover' ? 'gate Failover=false' : `${name}=false`;
  const effect =
    name === 'Failover' && !found
      ? 'clusters that fail get no NoExecute taint'
      : `${evictingEffects(configuration.rules)} taints evict nothing`;
  const where = componentText('controllerManager', seen);
  return [
    {
      message: assumed
        ? `failover is probably off: ${what} is the default ${since}of ${where}, and nothing shows another value; ${effect}`
        : `failover is off: ${what} on ${where}${since ? `, the default ${since.trim()}` : ''}; ${effect}`,
      severity,
      objects: runningObject('controllerManager', seen),
      evidence: [
        {
          rule: `${effect} without it`,
          field: name,
          value: false,
          ...(assumed && { certainty: 'unknown' as const, missing: `${seen.names.assume} ${name}=VALUE` }),
        },
      ],
      remedy: startWith('controllerManager', argument, seen),
      ...assumedOf(name, seen),
    },
  ];
}

const runs = (flags: Example['flags']): Example => ({ flags });

const gateOffSince = releasesText(decidingGates.Failover.values, (state) => state?.default === false);
const flagSince = whenFlagDecides('controllerManager', 'enable-no-execute-taint-eviction');

const failoverGateOff: StateCheck = {
  id: 'failover-gate-off',
  severity: 'error',
  theme: 'chain',
  title: 'the feature gate Failover is off',
  help: `Without the gate no cluster failover happens. It is off by default ${gateOffSince}. Set --feature-gates=Failover=true on karmada-controller-manager.`,
  needs: ['Cluster', 'Configuration'],
  flags: ['Failover'],
  symptoms: [
    'a cluster is NotReady for hours, and spec.clusters of bindings still names it',
    'karmada-controller-manager logs nothing about "taint manager"',
  ],
  issues: [6925, 6951, 3623, 2096],
  example: runs({ controllerManager: ['--feature-gates=Failover=false'] }),
  find: (seen) =>
    switchedOff(
      'Failover',
      '--feature-gates=Failover=true',
      seen.configuration.featureGates.Failover ? '' : `${gateOffSince} `,
      seen,
    ),
};

const taintManagerOff: StateCheck = {
  id: 'taint-manager-off',
  severity: 'error',
  theme: 'chain',
  title: 'the taint manager is not started',
  help: 'enable-taint-manager=false: NoExecute taints evict nothing. Remove the flag, or set it to true.',
  needs: ['Configuration'],
  flags: ['enable-taint-manager'],
  symptoms: ['a cluster has a NoExecute taint, and no binding gets a gracefulEvictionTask'],
  issues: [3623],
  example: runs({ controllerManager: ['--enable-taint-manager=false'] }),
  find: (seen) => switchedOff('enable-taint-manager', '--enable-taint-manager=true', '', seen),
};

const noExecuteEvictionOff: StateCheck = {
  id: 'no-execute-eviction-off',
  severity: 'error',
  theme: 'chain',
  title: 'NoExecute taints are not allowed to evict',
  help: `enable-no-execute-taint-eviction is false by default, ${flagSince}. Without it the taint manager ignores NoExecute taints. Set it to true on karmada-controller-manager.`,
  needs: ['Configuration'],
  flags: ['enable-no-execute-taint-eviction'],
  versions: flagSince,
  symptoms: ['a cluster has a NoExecute taint, and no binding gets a gracefulEvictionTask'],
  issues: [6317],
  example: runs({ controllerManager: ['--enable-no-execute-taint-eviction=false'] }),
  find: (seen) =>
    switchedOff(
      'enable-no-execute-taint-eviction',
      '--enable-no-execute-taint-eviction=true',
      `${flagSince} `,
      seen,
    ),
};

const clusterControllerOff: StateCheck = {
  id: 'cluster-controller-off',
  severity: 'error',
  theme: 'chain',
  title: 'the controller "cluster", which starts the taint manager, is left out',
  help: '--controllers leaves out "cluster": nothing taints clusters, and no taint manager runs. Let --controllers contain it.',
  needs: ['Configuration'],
  flags: ['controllers'],
  symptoms: ['clusters that are NotReady have no taint at all'],
  issues: [],
  example: runs({ controllerManager: ['--controllers=*,-cluster'] }),
  find: (seen) => {
    const { controllers } = seen.configuration.controllerManager;
    if (startsController(controllers, 'cluster')) return [];
    return [
      {
        message: `failover is off: --controllers=${controllers} leaves out cluster, and with it the taint manager`,
        objects: runningObject('controllerManager', seen),
        evidence: [
          { rule: 'the controller starts the taint manager', field: 'controllers', value: controllers },
        ],
        remedy: startController('cluster', seen),
      },
    ];
  },
};

const taintPolicyControllerOff: StateCheck = {
  id: 'taint-policy-controller-off',
  severity: 'error',
  theme: 'chain',
  title: 'the controller of ClusterTaintPolicies is left out',
  help: '--controllers leaves out "clustertaintpolicy": policies put no taint on any cluster. Let --controllers contain it.',
  needs: ['ClusterTaintPolicy', 'Configuration'],
  flags: ['controllers'],
  versions: 'from v1.14.0 on',
  symptoms: ['addOnConditions of a ClusterTaintPolicy hold, and the Cluster has no such taint'],
  issues: [],
  example: runs({ controllerManager: ['--controllers=*,-clustertaintpolicy'] }),
  find: (seen) => {
    const { rules, controllerManager } = seen.configuration;
    const { controllers } = controllerManager;
    if (!rules.taints.clusterTaintPolicies || seen.world.taintPolicies.length === 0) return [];
    if (startsController(controllers, 'clustertaintpolicy')) return [];
    return [
      {
        message: `--controllers=${controllers} leaves out clustertaintpolicy: ${count(seen.world.taintPolicies.length, 'ClusterTaintPolicy does', 'ClusterTaintPolicies do')} nothing`,
        objects: runningObject('controllerManager', seen),
        evidence: [{ rule: 'the controller adds the taints', field: 'controllers', value: controllers }],
        remedy: startController('clustertaintpolicy', seen),
      },
    ];
  },
};

const READY_POLICY = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata: { name: 'evict-failed-clusters' },
  spec: {
    addOnConditions: [{ conditionType: 'Ready', operator: 'NotIn', statusValues: ['True'] }],
    removeOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['True'] }],
    taints: [{ key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' }],
  },
};

const noEvictingTaint: StateCheck = {
  id: 'no-evicting-taint',
  severity: 'error',
  theme: 'chain',
  title: 'nothing puts an evicting taint on a cluster that fails',
  help: 'Since v1.14 Karmada itself adds only NoSchedule taints, which evict nothing: a ClusterTaintPolicy must add a NoExecute taint while Ready is not True. karmada-webhook must run with --allow-no-execute-taint-policy=true for that.',
  needs: ['Cluster', 'ClusterTaintPolicy', 'Configuration'],
  versions: 'from v1.14.0 on',
  symptoms: ['a NotReady cluster has not-ready:NoSchedule alone, and its workloads stay'],
  issues: [6925, 6951, 6317],
  example: { patches: [{ target: { kind: 'ClusterTaintPolicy', name: 'ready' }, merge: null }] },
  find: (seen) => {
    const { configuration, world } = seen;
    if (configuration.rules.taints.failureTaints === 'automatic') return [];
    const uncovered = world.clusters
      .filter(({ metadata }) => !metadata.deletionTimestamp)
      .filter((one) => taintsOnFailure(one, world.taintPolicies, seen.now, configuration).taints.length === 0)
      .map(({ metadata }) => metadata.name);
    if (uncovered.length === 0) return [];
    const all = uncovered.length === world.clusters.length;
    const effects = evictingEffects(configuration.rules);
    return [
      {
        message: all
          ? `failover is off: no ClusterTaintPolicy puts a ${effects} taint on a cluster that is not Ready, and ${seen.karmadaVersion} adds none itself`
          : `no ClusterTaintPolicy would evict ${some(uncovered)} when it fails`,
        severity: !isWanted(seen) ? 'note' : all ? 'error' : 'warning',
        objects: uncovered.map((name) => ({ kind: 'Cluster', name })),
        evidence: [
          {
            rule: `a ${effects} taint evicts`,
            field: 'ClusterTaintPolicy spec.taints',
            value: world.taintPolicies.map(({ metadata }) => metadata.name),
          },
        ],
        remedy:
          configuration.rules.api.taintPolicyForm === 'windows'
            ? { text: `create a ClusterTaintPolicy that adds a ${effects} taint while Ready is not True` }
            : {
                ...(configuration.webhook['allow-no-execute-taint-policy']
                  ? { text: 'create a ClusterTaintPolicy for clusters that are not Ready' }
                  : {
                      ...startWith('webhook', '--allow-no-execute-taint-policy=true', seen),
                      text: 'let karmada-webhook allow NoExecute, then create a ClusterTaintPolicy for clusters that are not Ready',
                    }),
                creates: [READY_POLICY],
              },
      },
    ];
  },
};

const webhookRefusesNoExecute: StateCheck = {
  id: 'webhook-refuses-no-execute',
  severity: 'note',
  theme: 'chain',
  title: 'karmada-webhook refuses changes of policies with NoExecute',
  help: 'Without --allow-no-execute-taint-policy=true on karmada-webhook, ClusterTaintPolicies with NoExecute can be neither created nor changed, only deleted. Those that exist work.',
  needs: ['ClusterTaintPolicy', 'Configuration'],
  flags: ['allow-no-execute-taint-policy'],
  versions: whenFlagDecides('webhook', 'allow-no-execute-taint-policy'),
  symptoms: ['admission webhook denied the request: … NoExecute'],
  issues: [6390],
  example: runs({ webhook: ['--allow-no-execute-taint-policy=false'] }),
  find: (seen) => {
    const { configuration, unconfirmed, world } = seen;
    if (
      !configuration.rules.taints.clusterTaintPolicies ||
      configuration.rules.api.taintPolicyForm === 'windows'
    )
      return [];
    if (configuration.webhook['allow-no-execute-taint-policy']) return [];
    if (unconfirmed.has('allow-no-execute-taint-policy')) return [];
    const policies = world.taintPolicies.filter(({ spec }) =>
      spec.taints?.some(({ effect }) => effect === 'NoExecute'),
    );
    if (policies.length === 0) return [];
    const objects = policies.map(({ metadata }) => ({ kind: 'ClusterTaintPolicy', name: metadata.name }));
    return [
      {
        message: `karmada-webhook runs without --allow-no-execute-taint-policy=true: ${someObjects(objects)} cannot be changed or created again`,
        objects,
        evidence: [
          { rule: 'the webhook refuses NoExecute', field: 'allow-no-execute-taint-policy', value: false },
        ],
        remedy: startWith('webhook', '--allow-no-execute-taint-policy=true', seen),
      },
    ];
  },
};

/** What the chain of links finds broken about workloads, together for those with the same text. */
function ofLinks(
  seen: Examined,
  linksOf: (binding: ResourceBinding) => readonly FailoverLink[],
  id: string,
  state: FailoverLink['state'],
): Diagnosed[] {
  const groups = new Map<string, { link: FailoverLink; bindings: ResourceBinding[] }>();
  for (const binding of seen.bindings) {
    if (isAttached(binding.spec) || !binding.spec.placement) continue;
    for (const link of linksOf(binding))
      if (link.id === id && link.state === state)
        getOrAdd(groups, link.text, () => ({ link, bindings: [] })).bindings.push(binding);
  }
  return [...groups.values()].map(({ link, bindings }) => {
    const objects = bindings.map(workloadOf);
    return {
      message: `${someObjects(objects)}: ${link.text}`,
      objects,
      evidence: link.evidence,
      ...(link.fix && { remedy: { text: link.fix } }),
    };
  });
}

function linkQuestion(binding: ResourceBinding, seen: Examined) {
  const { world, configuration, unconfirmed, proven, names, now } = seen;
  return {
    binding,
    clusters: placedOn(binding.spec).flatMap(({ name }) => seen.clusters().get(name) ?? []),
    fleet: world.clusters,
    taintPolicies: world.taintPolicies,
    ...{ configuration, unconfirmed, proven, names, now },
  };
}

const toleratesForever: StateCheck = {
  id: 'tolerates-forever',
  severity: 'warning',
  theme: 'chain',
  title: 'a workload tolerates the taint of a failed cluster forever',
  help: 'A toleration without tolerationSeconds keeps the workload on a cluster that fails. Give it tolerationSeconds, or remove it.',
  needs: ['Cluster', 'ResourceBinding', 'Configuration'],
  symptoms: ['the cluster has a NoExecute taint, and this workload alone stays'],
  issues: [744],
  example: {
    patches: [
      {
        target: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' },
        merge: {
          metadata: {
            annotations: {
              'policy.karmada.io/applied-placement':
                '{"clusterAffinity":{"clusterNames":["member1","member2","member3"]},"clusterTolerations":[{"key":"cluster.karmada.io/not-ready","operator":"Exists","effect":"NoExecute"}]}',
            },
          },
        },
      },
    ],
  },
  find: (seen) => {
    const groups = new Map<string, ResourceBinding[]>();
    const texts = new Map<string, string>();
    const evidence = new Map<string, Diagnosed['evidence']>();
    for (const binding of seen.bindings) {
      const tolerates =
        binding.metadata.annotations?.['policy.karmada.io/applied-placement']?.includes(
          '"clusterTolerations"',
        );
      if (!tolerates || isAttached(binding.spec)) continue;
      for (const link of tolerationLinks(linkQuestion(binding, seen)))
        if (link.id === 'tolerations' && link.state === 'broken') {
          const owner = ownerOfPlacement(binding);
          const key = `${owner.kind} ${owner.namespace ?? ''} ${owner.name} ${link.text}`;
          getOrAdd(groups, key, () => []).push(binding);
          texts.set(key, link.text);
          evidence.set(key, link.evidence);
        }
    }
    return [...groups].map(([key, bindings]) => {
      const objects = bindings.map(workloadOf);
      const { apiVersion: _, ...owner } = ownerOfPlacement(bindings[0]!);
      return {
        message: `${someObjects(objects)}: ${texts.get(key)}`,
        objects,
        evidence: evidence.get(key) ?? [],
        remedy: {
          text: `give the toleration tolerationSeconds, or remove it, in ${someObjects([owner])}`,
          patches: patchPolicies(bindings, ({ spec }) => ({
            placement: { clusterTolerations: spec.placement?.clusterTolerations?.map(forATime) ?? null },
          })),
        },
      };
    });
  },
};

/** Seconds for which Kubernetes itself tolerates a node that fails. */
const TOLERATED = 300;

function forATime(toleration: Toleration): Toleration {
  if (toleration.tolerationSeconds != null || toleration.effect === 'NoSchedule') return toleration;
  // seconds may only be given for this effect
  return { ...toleration, effect: 'NoExecute', tolerationSeconds: TOLERATED };
}

const appliedPlacementMissing: StateCheck = {
  id: 'applied-placement-missing',
  severity: 'error',
  theme: 'chain',
  title: 'the taint manager cannot read the applied placement of a binding',
  help: 'The taint manager takes tolerations from the annotation policy.karmada.io/applied-placement, and fails on a binding without it. Let karmada-scheduler write it: change the placement of the policy.',
  needs: ['ResourceBinding'],
  symptoms: ['"failed to get placement" in the log of karmada-controller-manager'],
  issues: [],
  example: {
    patches: [
      {
        target: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' },
        merge: { metadata: { annotations: { 'policy.karmada.io/applied-placement': null } } },
      },
    ],
  },
  find: (seen) =>
    ofLinks(
      seen,
      (binding) => ((binding.spec.clusters?.length ?? 0) > 0 ? [appliedPlacementLink(binding)] : []),
      'applied-placement',
      'broken',
    ),
};

const unknownFlag: StateCheck = {
  id: 'unknown-flag',
  severity: 'warning',
  theme: 'chain',
  title: 'a component is started with a flag or gate that its version does not know',
  help: 'A component refuses to start with a flag that it does not know; what a release ignores has no effect. Flags of failover came and went between v1.14 and v1.18: see docs/dialects.md.',
  needs: ['Configuration'],
  symptoms: ['unknown flag: --failover-eviction-timeout', 'unrecognized feature gate'],
  issues: [6951],
  example: runs({ controllerManager: ['--failover-eviction-timeout=5m'] }),
  find: ({ unknownFlags }) =>
    unknownFlags.map(({ source, text }) => ({
      message: `${source}: ${text}`,
      objects: [],
      evidence: [{ rule: text, field: source }],
      remedy: { text: 'remove the argument' },
    })),
};

const versionsDiffer: StateCheck = {
  id: 'versions-differ',
  severity: 'warning',
  theme: 'chain',
  title: 'components of different minor versions run together',
  help: 'Karmada tests its components with each other only in one minor version: gates and fields of one are unknown to another. Run all with the same version.',
  needs: ['Deployment'],
  symptoms: ['strict decoding error: unknown field', 'a field of a binding disappears after it was written'],
  issues: [],
  example: {
    patches: [
      {
        target: { kind: 'Deployment', namespace: 'karmada-system', name: 'karmada-scheduler' },
        merge: {
          spec: {
            template: {
              spec: {
                containers: [
                  {
                    name: 'karmada-scheduler',
                    image: 'docker.io/karmada/karmada-scheduler:v1.15.0',
                    command: ['/bin/karmada-scheduler'],
                  },
                ],
              },
            },
          },
        },
      },
    ],
  },
  find: (seen) => {
    const minors = new Set(
      seen.versions.flatMap(({ version }) => {
        const parsed = parseVersion(version);
        return parsed ? [`v${parsed.major}.${parsed.minor}`] : [];
      }),
    );
    if (minors.size < 2) return [];
    const text = seen.versions
      .map(({ component, version }) => `${binaries[component]} ${version}`)
      .join(', ');
    return [
      {
        message: `components of different versions run: ${text}`,
        objects: seen.versions.flatMap(({ component }) => runningObject(component, seen)),
        evidence: seen.versions.map(({ version, source }) => ({
          rule: 'the tag of its image',
          field: source,
          value: version,
        })),
        remedy: { text: 'run all components with the same version' },
      },
    ];
  },
};

const versionUnknown: StateCheck = {
  id: 'version-unknown',
  severity: 'warning',
  theme: 'chain',
  title: 'the image of karmada-controller-manager does not say its version',
  help: 'Gates, flags and bugs depend on the patch release. An image without a version, such as :latest, can change at every restart. Use a tag with a version.',
  needs: ['Deployment'],
  symptoms: ['failover changes after a Pod was restarted'],
  issues: [],
  example: {
    patches: [
      {
        target: { kind: 'Deployment', namespace: 'karmada-system', name: 'karmada-controller-manager' },
        merge: {
          spec: {
            template: {
              spec: {
                containers: [
                  {
                    name: 'karmada-controller-manager',
                    image: 'docker.io/karmada/karmada-controller-manager:latest',
                    command: [
                      ...['/bin/karmada-controller-manager', '--feature-gates=Failover=true'],
                      '--enable-no-execute-taint-eviction=true',
                    ],
                  },
                ],
              },
            },
          },
        },
      },
    ],
  },
  find: (seen) => {
    const runsIt = seen.commandLines.find(({ component }) => component === 'controllerManager');
    if (!runsIt || seen.versions.some(({ component }) => component === 'controllerManager')) return [];
    return [
      {
        message: `${runsIt.source}: its image does not say which version runs; answers follow ${seen.karmadaVersion}, which may be wrong`,
        ...(seen.world.clusters.some(isStale) && { severity: 'error' as const }),
        objects: runningObject('controllerManager', seen),
        evidence: [{ rule: 'the tag of the image is no version', field: runsIt.source }],
        remedy: { text: `use an image with a version, and name it here with ${seen.names.version}` },
      },
    ];
  },
};

interface Replicated {
  spec?: { replicas?: number };
  status?: { readyReplicas?: number; replicas?: number };
}

const componentDown: StateCheck = {
  id: 'component-down',
  severity: 'error',
  theme: 'chain',
  title: 'a component of Karmada has no ready replica',
  help: 'Without karmada-controller-manager nothing is evicted, without karmada-scheduler nothing is placed again, without karmada-webhook nothing can be written.',
  needs: ['Deployment'],
  symptoms: ['failed calling webhook', 'Events of bindings stop'],
  issues: [],
  example: {
    patches: [
      {
        target: { kind: 'Deployment', namespace: 'karmada-system', name: 'karmada-scheduler' },
        merge: { spec: { replicas: 1 }, status: { replicas: 1, readyReplicas: 0, unavailableReplicas: 1 } },
      },
    ],
  },
  find: (seen) =>
    seen.commandLines.flatMap(({ component }) => {
      const [object] = runningObject(component, seen);
      const found = seen
        .ofKind(object?.kind ?? '')
        .find(({ metadata }) => metadata.name === object?.name && metadata.namespace === object?.namespace);
      const { spec, status } = (found ?? {}) as Replicated;
      const scaled = spec?.replicas === 0;
      const unready = status !== undefined && (status.replicas ?? 0) > 0 && (status.readyReplicas ?? 0) === 0;
      if (!object || (!scaled && !unready)) return [];
      return [
        {
          message: scaled
            ? `${binaries[component]} is scaled to 0: ${withoutComponent[component]}`
            : `${binaries[component]} has no ready replica: ${withoutComponent[component]}`,
          objects: [object],
          evidence: [
            {
              rule: 'no replica is ready',
              object,
              field: 'status.readyReplicas',
              value: status?.readyReplicas ?? 0,
            },
          ],
          remedy: restart(component, seen),
        },
      ];
    }),
};

const withoutComponent: Record<Component, string> = {
  controllerManager: 'nothing detects failures, evicts or ends eviction tasks',
  agent: 'its cluster reports nothing and gets no Work',
  scheduler: 'evicted workloads are placed nowhere',
  webhook: 'the API server refuses changes of policies and bindings',
};

const LEADERS: Partial<Record<Component, string>> = {
  controllerManager: 'karmada-controller-manager',
  scheduler: 'karmada-scheduler',
};

/** Milliseconds after which a leader that runs has renewed its Lease many times. */
const RENEWED = 120_000;

const leaderLeaseStale: StateCheck = {
  id: 'leader-lease-stale',
  lacks: (seen) =>
    seen.ofKind('Lease').some(({ metadata }) => Object.values(LEADERS).includes(metadata.name))
      ? undefined
      : 'no Lease of karmada-controller-manager or karmada-scheduler is in the state',
  severity: 'error',
  theme: 'chain',
  title: 'no leader of a component renews its Lease',
  help: 'A leader renews its Lease every few seconds. If nobody does, the component does not run, or cannot reach the API server.',
  needs: ['Lease'],
  symptoms: ['failed to renew lease', 'leader election lost'],
  issues: [],
  example: {
    patches: [
      {
        target: { kind: 'Lease', namespace: 'karmada-system', name: 'karmada-scheduler' },
        merge: { spec: { renewTime: '2026-05-04T09:00:00.000000Z' } },
      },
    ],
  },
  find: (seen) =>
    (Object.keys(LEADERS) as Component[]).flatMap((component) => {
      const lease = seen.ofKind('Lease').find(({ metadata }) => metadata.name === LEADERS[component]);
      const { renewTime } = (lease as { spec?: { renewTime?: string } } | undefined)?.spec ?? {};
      if (!lease || !renewTime) return [];
      const age = seen.now - instant(renewTime);
      if (!(age > RENEWED)) return [];
      const { namespace = '', name } = lease.metadata;
      return [
        {
          message: `${binaries[component]} has not renewed its Lease for ${formatDuration(Math.round(age / 1000) * 1000)}: is it running? ${withoutComponent[component]}`,
          objects: [{ kind: 'Lease', namespace, name }],
          evidence: [
            { rule: 'a leader renews it every few seconds', field: 'spec.renewTime', value: renewTime },
          ],
          remedy: restart(component, seen),
        },
      ];
    }),
};

const evictionRateZero: StateCheck = {
  id: 'eviction-rate-zero',
  severity: 'error',
  theme: 'chain',
  title: 'the rate of evictions is 0',
  help: 'resource-eviction-rate=0 stops all evictions by taints. Set a rate above 0; the default is 0.5 per second.',
  needs: ['Cluster', 'Configuration'],
  flags: ['resource-eviction-rate'],
  versions: whenFlagDecides('controllerManager', 'resource-eviction-rate'),
  symptoms: ['eviction_queue_depth grows, and nothing is evicted'],
  issues: [6746, 7483],
  example: runs({ controllerManager: ['--resource-eviction-rate=0'] }),
  find: (seen) => {
    const { rules, controllerManager } = seen.configuration;
    if (rules.taints.evictionPace === 'unpaced') return [];
    const paused = hasOneQueue(rules) ? queuePace(seen.world.clusters, controllerManager) : undefined;
    const rate = paused ? paused.rate : controllerManager['resource-eviction-rate'];
    if (rate > 0) return [];
    return [
      {
        message: `failover is off: the rate of evictions is 0${paused ? ` (${paused.reason})` : ''}`,
        objects: runningObject('controllerManager', seen),
        evidence: [{ rule: 'evictions wait for the rate', field: 'resource-eviction-rate', value: rate }],
        remedy: startWith('controllerManager', '--resource-eviction-rate=0.5', seen),
      },
    ];
  },
};

/** Longer than this nobody wants to wait for the last eviction from a cluster, in seconds. */
const LONG = 1800;

const evictionRateSlow: StateCheck = {
  id: 'eviction-rate-slow',
  severity: 'warning',
  theme: 'chain',
  title: 'the evictions from one cluster would take very long',
  help: 'Workloads leave a cluster at resource-eviction-rate, one after the other. Raise the rate, or accept the time.',
  needs: ['Cluster', 'ResourceBinding', 'Configuration'],
  flags: ['resource-eviction-rate'],
  versions: whenFlagDecides('controllerManager', 'resource-eviction-rate'),
  symptoms: ['eviction_queue_depth falls slowly'],
  issues: [7483, 7495, 6746],
  example: runs({ controllerManager: ['--resource-eviction-rate=0.001'] }),
  find: (seen) => {
    const { rules, controllerManager } = seen.configuration;
    const rate = controllerManager['resource-eviction-rate'];
    if (rules.taints.evictionPace === 'unpaced' || !(rate > 0)) return [];
    const loads = new Map<string, number>();
    for (const { spec } of seen.world.bindings)
      if (!isAttached(spec))
        for (const { name } of spec.clusters ?? []) loads.set(name, (loads.get(name) ?? 0) + 1);
    const [name, most] = [...loads].sort((a, b) => b[1] - a[1])[0] ?? ['', 0];
    if (most / rate <= LONG) return [];
    return [
      {
        message: `the ${most} workloads of ${name} would need ${formatDuration(Math.ceil(most / rate) * 1000)} to leave it, at ${rate} evictions per second`,
        objects: [{ kind: 'Cluster', name }],
        evidence: [{ rule: 'one eviction after the other', field: 'resource-eviction-rate', value: rate }],
        remedy: startWith('controllerManager', `--resource-eviction-rate=${Math.ceil(most / 600)}`, seen),
      },
    ];
  },
};

const schedulingSuspended: StateCheck = {
  id: 'scheduling-suspended',
  severity: 'warning',
  theme: 'chain',
  title: 'the scheduling of a binding is suspended',
  help: 'spec.suspension.scheduling is true: an evicted workload is placed nowhere until somebody resumes it.',
  needs: ['ResourceBinding'],
  symptoms: ['condition Scheduled: SchedulingSuspended'],
  issues: [],
  example: {
    patches: [
      {
        target: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' },
        merge: { spec: { suspension: { scheduling: true } } },
      },
    ],
  },
  find: (seen) => {
    if (seen.configuration.rules.scheduling.suspension === 'unknown') return [];
    const found = seen.bindings.filter(({ spec }) => spec.suspension?.scheduling);
    return together(
      found,
      (objects) =>
        `scheduling of ${someObjects(objects)} is suspended: after an eviction it is placed nowhere`,
      {
        rule: 'no scheduler looks at it',
        field: 'spec.suspension.scheduling',
        value: true,
      },
      {
        text: 'resume it: spec.suspension.scheduling of the binding',
        patches: found.map((one) => ({
          target: { apiVersion: 'work.karmada.io/v1alpha2', ...bindingIdentity(one) },
          merge: { spec: { suspension: { scheduling: false } } },
        })),
      },
    );
  },
};

const dispatchingSuspended: StateCheck = {
  id: 'dispatching-suspended',
  lints: 'manifests',
  severity: 'warning',
  theme: 'chain',
  title: 'the dispatching of a binding is suspended',
  help: 'Works are written and not applied while spec.suspension.dispatching is true: the workload starts nowhere else.',
  needs: ['ResourceBinding'],
  symptoms: ['condition Dispatching of a Work: SuspendDispatching'],
  issues: [6536],
  example: {
    patches: [
      {
        target: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' },
        merge: { spec: { suspension: { dispatching: true } } },
      },
    ],
  },
  find: (seen) => {
    const found = seen.bindings.filter(({ spec }) => spec.suspension?.dispatching);
    return together(
      found,
      (objects) =>
        `dispatching of ${someObjects(objects)} is suspended: its Works are written and not applied`,
      { rule: 'a suspended Work stays undone', field: 'spec.suspension.dispatching', value: true },
      {
        text: 'resume it in the policy: spec.suspension.dispatching',
        patches: patchPolicies(found, () => ({ suspension: { dispatching: false } })),
      },
    );
  },
};

/** One finding about all bindings of a list; none about an empty one. */
function together(
  bindings: readonly ResourceBinding[],
  message: (objects: Diagnosed['objects']) => string,
  evidence: Diagnosed['evidence'][number],
  remedy: Remedy,
): Diagnosed[] {
  if (bindings.length === 0) return [];
  const objects = bindings.map(workloadOf);
  return [{ message: message(objects), objects, evidence: [evidence], remedy }];
}

const foreignScheduler: StateCheck = {
  id: 'foreign-scheduler',
  lints: 'manifests',
  severity: 'note',
  theme: 'chain',
  title: 'another scheduler than karmada-scheduler places a workload',
  help: 'spec.schedulerName names a scheduler whose rules are unknown here: whether it places the workload again cannot be said.',
  needs: ['ResourceBinding', 'Configuration'],
  flags: ['scheduler-name'],
  symptoms: ['a binding is evicted, and karmada-scheduler logs nothing about it'],
  issues: [],
  example: {
    patches: [
      {
        target: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' },
        merge: { spec: { schedulerName: 'batch-scheduler' } },
      },
    ],
  },
  find: (seen) => {
    const ours = seen.configuration.scheduler['scheduler-name'];
    return together(
      seen.bindings.filter(({ spec }) => (spec.schedulerName || DEFAULT_SCHEDULER_NAME) !== ours),
      (objects) => `${someObjects(objects)}: another scheduler than ${ours} decides, by rules of its own`,
      { rule: `karmada-scheduler looks after ${ours}`, field: 'spec.schedulerName' },
      { text: 'make sure that this scheduler runs' },
    );
  },
};

const unclaimedBinding: StateCheck = {
  id: 'unclaimed-binding',
  severity: 'warning',
  theme: 'chain',
  title: 'no policy claims a binding, so that the scheduler ignores its changes',
  help: 'karmada-scheduler hears only of bindings with the permanent id of a policy, or managed-by. After an eviction it does not place others again. Let a policy claim the workload.',
  needs: ['ResourceBinding', 'Configuration'],
  symptoms: ['spec.clusters lost a cluster, and Scheduled does not change'],
  issues: [],
  example: {
    patches: [
      {
        target: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' },
        merge: { metadata: { labels: { 'propagationpolicy.karmada.io/permanent-id': null } } },
      },
    ],
  },
  find: (seen) => {
    const ours = seen.configuration.scheduler['scheduler-name'];
    return together(
      seen.bindings.filter(
        (one) =>
          !isAttached(one.spec) &&
          !one.spec.suspension?.scheduling &&
          (one.spec.schedulerName || DEFAULT_SCHEDULER_NAME) === ours &&
          !handledByScheduler(one, seen.configuration),
      ),
      (objects) =>
        `${someObjects(objects)}: no policy claims its binding, so that karmada-scheduler ignores its changes`,
      {
        rule: 'karmada-scheduler hears of bindings with the permanent id of a policy',
        field: 'metadata.labels',
      },
      { text: 'let a policy claim it' },
    );
  },
};

const purgeDirectlyWaits: StateCheck = {
  id: 'purge-directly-waits',
  severity: 'warning',
  theme: 'chain',
  title: 'no new copy starts while the failed cluster has the old Work',
  help: 'With purge mode Directly the new copy waits for the old Work to be deleted, which a cluster that is down cannot do: the workload is down until the task times out. Gracefully starts the new copy at once.',
  needs: ['ResourceBinding', 'Configuration'],
  flags: ['no-execute-taint-eviction-purge-mode'],
  versions: 'from v1.15.0 on',
  symptoms: ['after an eviction no Work is written for the new cluster for 10 minutes'],
  issues: [5788],
  example: runs({ controllerManager: ['--no-execute-taint-eviction-purge-mode=Directly'] }),
  find: (seen) => {
    const { rules } = seen.configuration;
    if (rules.eviction.directPurge !== 'waitsForOldWork') return [];
    const found = seen.bindings.filter((binding) => {
      if ((binding.spec.replicas ?? 0) === 0 || isAttached(binding.spec)) return false;
      const mode = taintEvictionPurgeMode(binding, seen.configuration);
      return mode !== 'withoutTask' && purgesDirectly(mode, rules);
    });
    const own = found.filter(({ spec }) => spec.failover?.cluster?.purgeMode);
    return together(
      found,
      (objects) =>
        `${someObjects(objects)}: purge mode Directly starts no new copy while the failed cluster has the old Work`,
      { rule: 'purge mode Directly waits for the old Work', field: 'no-execute-taint-eviction-purge-mode' },
      {
        ...(own.length < found.length &&
          startWith('controllerManager', '--no-execute-taint-eviction-purge-mode=Gracefully', seen)),
        text: 'use purge mode Gracefully, unless two copies must never run at once',
        patches: patchPolicies(own, () => ({ failover: { cluster: { purgeMode: 'Gracefully' } } })),
      },
    );
  },
};

const detectionSlow: StateCheck = {
  id: 'detection-slow',
  severity: 'warning',
  theme: 'chain',
  title: 'a failed cluster is noticed late',
  help: 'A cluster becomes not Ready only after cluster-failure-threshold (Push) or cluster-monitor-grace-period (Pull). Longer than some minutes delays every failover by that.',
  needs: ['Configuration'],
  flags: ['cluster-failure-threshold', 'cluster-monitor-grace-period'],
  symptoms: ['the API server of a member is gone, and Ready stays True'],
  issues: [],
  example: runs({ controllerManager: ['--cluster-failure-threshold=20m'] }),
  find: (seen) =>
    (['cluster-failure-threshold', 'cluster-monitor-grace-period'] as const).flatMap((flag) => {
      const value = seen.configuration.controllerManager[flag];
      if (value <= 300_000) return [];
      return [
        {
          message: `a cluster that fails is noticed only after ${formatDuration(value)} (${flag})`,
          objects: runningObject('controllerManager', seen),
          evidence: [{ rule: 'Ready changes only then', field: flag, value: formatDuration(value) }],
          remedy: startWith(
            'controllerManager',
            `--${flag}=${flag === 'cluster-failure-threshold' ? '30s' : '40s'}`,
            seen,
          ),
        },
      ];
    }),
};

/** Milliseconds after which a cluster that is down, and whose workloads stay, is more than a failover under way. */
const AWAITED = 600_000;

const clusterDown: StateCheck = {
  id: 'cluster-down',
  severity: 'error',
  theme: 'chain',
  title: 'a cluster is not Ready, and workloads stay on it',
  help: 'A cluster has been down for more than ten minutes, and bindings still name it: the chain is broken at the link that other findings name, or the workloads tolerate the taint.',
  needs: ['Cluster', 'ResourceBinding'],
  symptoms: ['Ready=False, reason ClusterNotReachable; spec.clusters still names it'],
  issues: [6925, 6951, 3623],
  example: {
    patches: [
      {
        target: { kind: 'Cluster', name: 'member1' },
        merge: {
          status: {
            conditions: [
              {
                type: 'Ready',
                status: 'False',
                reason: 'ClusterNotReachable',
                lastTransitionTime: '2026-05-04T08:00:00Z',
              },
            ],
          },
        },
      },
    ],
  },
  find: (seen) => {
    const onThem = new Map<string, ResourceBinding[]>();
    for (const binding of seen.bindings)
      for (const { name } of binding.spec.clusters ?? []) getOrAdd(onThem, name, () => []).push(binding);
    return seen.world.clusters.flatMap((cluster) => {
      const { name, deletionTimestamp } = cluster.metadata;
      const ready = readyCondition(cluster);
      const stay = onThem.get(name) ?? [];
      if (deletionTimestamp || !ready || !isStale(cluster) || stay.length === 0) return [];
      const since = ready.lastTransitionTime ? seen.now - instant(ready.lastTransitionTime) : Infinity;
      if (since < AWAITED) return [];
      const has = evictingTaints(cluster.spec?.taints, seen.configuration.rules).length > 0;
      const waits =
        !has && seen.configuration.rules.taints.clusterTaintPolicies
          ? policyPass({
              cluster,
              policies: seen.world.taintPolicies,
              now: seen.now,
              rules: seen.configuration.rules,
            }).taints
          : [];
      const why = has
        ? 'it has a taint that evicts'
        : evictingTaints(waits, seen.configuration.rules).length > 0
          ? 'its taint is still to come'
          : 'it has no taint that evicts';
      return [
        {
          message: `${name} is not Ready since ${ready.lastTransitionTime ?? 'an unknown time'}, and ${count(stay.length, 'workload stays', 'workloads stay')} on it: ${why}`,
          objects: [{ kind: 'Cluster', name }, ...stay.map(workloadOf)],
          evidence: [
            { rule: ready.message ?? '', field: 'status.conditions[Ready]', value: ready.status },
            { rule: why, field: 'spec.taints', value: cluster.spec?.taints ?? [] },
          ],
          remedy: {
            text: 'repair the first broken link above, or move the workloads by a drain',
            next: { action: 'plan-drain', cluster: name },
          },
        },
      ];
    });
  },
};

/** The chain from a failing cluster to an eviction: what is nearest to its beginning first. */
export const chainChecks: readonly StateCheck[] = [
  versionUnknown,
  failoverGateOff,
  clusterControllerOff,
  taintManagerOff,
  noExecuteEvictionOff,
  evictionRateZero,
  taintPolicyControllerOff,
  noEvictingTaint,
  componentDown,
  leaderLeaseStale,
  appliedPlacementMissing,
  clusterDown,
  webhookRefusesNoExecute,
  toleratesForever,
  unknownFlag,
  versionsDiffer,
  purgeDirectlyWaits,
  unclaimedBinding,
  schedulingSuspended,
  dispatchingSuspended,
  evictionRateSlow,
  detectionSlow,
  foreignScheduler,
];
