import { identityOf } from '../../../../karmada/objects/identities.ts';
import {
  KARMADA_CONTROLLERS,
  startsController,
  type KarmadaController,
} from '../../../../karmada/dialects/controllerList.ts';
import { startsPlugin } from '../../../../karmada/dialects/schedulerPlugins.ts';
import { listOf } from '../../../../karmada/configuration/commandLine.ts';
import { binaries } from '../../../../karmada/dialects/flags.ts';
import { WORKERS } from '../../../../karmada/dialects/otherFlags.ts';
import { isAttached } from '../../../../karmada/objects/dependents.ts';
import type { Severity } from '../../finding.ts';
import { finding, firstNames, firstObjectNames, jointFinding } from '../about.ts';
import { type Examined, flagOf, lineOf, runningObject } from '../examined.ts';
import { startController, startWith } from '../remedies.ts';
import type { StateCheck } from '../stateCheck.ts';
import { isSkipped, policyOfUnbound, unboundTemplates } from '../unbound.ts';

/**
 * The work that stops without a controller. Controllers for Push clusters have counterparts in the agents of Pull
 * clusters.
 */
const WITHOUT: readonly {
  name: KarmadaController;
  text: string;
  push?: true;
  isUsed?(seen: Examined): boolean;
}[] = [
  { name: 'clusterStatus', text: 'no controller detects the failure of a Push cluster', push: true },
  { name: 'binding', text: 'no Work is written for the new cluster of a workload' },
  { name: 'execution', text: 'no Work is applied in a Push cluster', push: true },
  { name: 'workStatus', text: 'no controller collects the health of copies in Push clusters', push: true },
  { name: 'bindingStatus', text: 'the health of copies does not reach the bindings' },
  {
    name: 'applicationFailover',
    text: 'Unhealthy workloads stay, unless another program moves them',
    isUsed: ({ bindings }) => bindings.some(({ spec }) => spec.failover?.application && !isAttached(spec)),
  },
  {
    name: 'gracefulEviction',
    text: 'no eviction task ends, and old copies stay',
    // Existing tasks are reported by the check eviction-unattended.
    isUsed: ({ bindings }) => !bindings.some(({ spec }) => spec.gracefulEvictionTasks?.length),
  },
];

/** Other programs may do their work. */
const REPLACEABLE: ReadonlySet<KarmadaController> = new Set(['applicationFailover', 'gracefulEviction']);

export const controllerLeftOut: StateCheck = {
  id: 'controller-left-out',
  severity: 'error',
  theme: 'chain',
  title: 'a controller that a failover needs is left out',
  help: '--controllers of karmada-controller-manager leaves out a controller between the failure and the new copy: the status of clusters, bindings, Works, or health. Add the controller to it.',
  needs: ['Cluster', 'Configuration'],
  flags: ['controllers'],
  symptoms: ['spec.clusters of a binding changes, and no Work follows', 'Ready of a cluster never changes'],
  find: (seen) => {
    const { controllers } = seen.configuration.controllerManager;
    const hasPush = seen.world.clusters.some(({ spec }) => spec?.syncMode !== 'Pull');
    const out = WITHOUT.filter(
      ({ name, push, isUsed }) =>
        !startsController(controllers, name) && (!push || hasPush) && (isUsed?.(seen) ?? true),
    );
    return out.map(({ name, text }) =>
      finding(
        runningObject('controllerManager', seen),
        `--controllers=${controllers} leaves out ${name}: ${text}`,
        { rule: text, field: 'controllers', value: controllers },
        startController(name, seen),
        REPLACEABLE.has(name) ? 'warning' : undefined,
      ),
    );
  },
};

/** The work that stops if a queue has no worker. */
const UNDONE: Record<(typeof WORKERS)[number], { text: string; severity: Severity }> = {
  'concurrent-work-syncs': { text: 'no controller collects the health of copies', severity: 'error' },
  'concurrent-resource-template-syncs': {
    text: 'changes of workloads reach no binding',
    severity: 'warning',
  },
  'concurrent-propagation-policy-syncs': {
    text: 'changes of PropagationPolicies reach no binding',
    severity: 'warning',
  },
  'concurrent-cluster-propagation-policy-syncs': {
    text: 'changes of ClusterPropagationPolicies reach no binding',
    severity: 'warning',
  },
  'concurrent-dependent-resource-syncs': {
    text: 'dependencies that are created or changed later do not follow their workloads',
    severity: 'warning',
  },
};

export const queueWithoutWorkers: StateCheck = {
  id: 'queue-without-workers',
  severity: 'error',
  theme: 'chain',
  title: 'a queue has no workers',
  help: 'A number of workers (--concurrent-…-syncs) is 0 or less: Karmada starts, and nothing processes that queue. Set it to 1 or more.',
  needs: ['Deployment', 'Configuration'],
  symptoms: ['a queue grows, and nothing is logged about it', 'status of a binding never changes'],
  find: (seen) =>
    (['controllerManager', 'agent'] as const).flatMap((component) =>
      WORKERS.flatMap((flag) => {
        const { text, severity } = UNDONE[flag];
        const value = flagOf(component, flag, seen);
        if (value === undefined || !(Number(value) <= 0)) return [];
        return finding(
          runningObject(component, seen),
          `--${flag}=${value} of ${binaries[component]} leaves a queue without workers: ${text}`,
          { rule: text, field: flag, value },
          startWith(component, `--${flag}=5`, seen),
          severity,
        );
      }),
    ),
};

export const controllerUnknown: StateCheck = {
  id: 'controller-unknown',
  severity: 'note',
  theme: 'chain',
  title: '--controllers names a controller that does not exist',
  help: 'karmada-controller-manager ignores the name: the rest of the list applies. Names are case-sensitive: gracefulEviction.',
  needs: ['Configuration'],
  symptoms: ['a controller that was left out runs'],
  find: (seen) => {
    const { controllers } = seen.configuration.controllerManager;
    const known: readonly string[] = KARMADA_CONTROLLERS;
    const unknown = controllers
      .split(',')
      .map((one) => one.replace(/^-/, ''))
      .filter((one) => one !== '' && one !== '*' && !known.includes(one));
    if (unknown.length === 0) return [];
    return finding(
      runningObject('controllerManager', seen),
      `--controllers=${controllers} names ${firstNames(unknown)}, which Karmada does not have: the name is ignored`,
      { rule: 'no controller has the name', field: 'controllers', value: controllers },
      'correct the name',
    );
  },
};

/** Plugins of karmada-scheduler, and the effect of their absence. */
const PLUGINS: Readonly<Record<string, string>> = {
  TaintToleration: 'clusters that failed or are cordoned are chosen',
  ClusterEviction: 'the cluster of an eviction is chosen again',
  ClusterAffinity: 'clusters outside the policy are chosen',
  SpreadConstraint: 'clusters without region, zone or provider are chosen',
  APIEnablement: 'clusters without the kind are chosen',
  ClusterLocality: 'replicas do not keep their clusters',
};

export const pluginLeftOut: StateCheck = {
  id: 'scheduler-plugin-left-out',
  severity: 'warning',
  theme: 'chain',
  title: 'karmada-scheduler runs without one of its plugins',
  help: '--plugins of karmada-scheduler leaves out a plugin, or names some without "*". Simulations leave it out, too. Set --plugins to "*", or start it with "*,".',
  needs: ['Deployment', 'Configuration'],
  symptoms: ['a workload is placed on a cluster with a taint that it does not tolerate'],
  find: (seen) => {
    const value = seen.configuration.scheduler.plugins;
    const out = Object.keys(PLUGINS).filter((name) => !startsPlugin(value, name));
    if (out.length === 0) return [];
    return finding(
      runningObject('scheduler', seen),
      `--plugins=${value} leaves out ${firstNames(out)}: ${PLUGINS[out[0]!] ?? ''}`,
      { rule: 'the plugin is not enabled', field: 'plugins', value },
      startWith('scheduler', '--plugins=*', seen),
    );
  },
};

/**
 * Whether an entry of --skipped-propagating-apis matches a kind: "group", "group/version", "group/version/Kind,Kind",
 * or for the core group "v1/Kind,Kind" (SkippedResourceConfig).
 */
function skipsApi(entry: string, apiVersion: string, kind: string): boolean {
  const parts = entry.split('/');
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  if (group === '') return parts[0] === 'v1' && parts[1]?.split(',').includes(kind) === true;
  return (
    parts[0] === group &&
    (parts[1] === undefined || parts[1] === version) &&
    (parts[2] === undefined || parts[2].split(',').includes(kind))
  );
}

export const reservedPropagated: StateCheck = {
  id: 'reserved-namespaces-propagated',
  severity: 'warning',
  theme: 'chain',
  title: '--skipped-propagating-namespaces replaces its default kube-.*',
  help: 'Its value replaces the default kube-.*: Karmada propagates the Namespaces kube-system, kube-public and kube-node-lease. Every cluster has them, so their Works fail. Add kube-.* to the value.',
  needs: ['Deployment'],
  symptoms: ['resource(kind=Namespace, /kube-system) already exists in the cluster'],
  issues: [3929],
  find: (seen) => {
    const value = listOf(lineOf('controllerManager', seen), 'skipped-propagating-namespaces');
    if (value === undefined || seen.skipsNamespace('kube-system')) return [];
    return finding(
      runningObject('controllerManager', seen),
      `--skipped-propagating-namespaces=${value} replaces the default kube-.*: kube-system is propagated, too`,
      { rule: 'the value replaces the default', field: 'skipped-propagating-namespaces', value },
      startWith('controllerManager', `--skipped-propagating-namespaces=kube-.*,${value}`, seen),
    );
  },
};

export const resourceSkipped: StateCheck = {
  id: 'propagation-skipped',
  severity: 'warning',
  theme: 'chain',
  title: 'karmada-controller-manager skips the namespace or the kind of a workload',
  help: '--skipped-propagating-namespaces or --skipped-propagating-apis is for it: no policy claims it, and changes of its template and its policy do not reach its binding. Take it out of the flag.',
  needs: ['Deployment'],
  uses: ['ResourceBinding', 'Template'],
  symptoms: ['a workload has no ResourceBinding', 'a change of a policy has no effect'],
  issues: [3369, 4416],
  find: (seen) => {
    const line = lineOf('controllerManager', seen);
    const apis = flagOf('controllerManager', 'skipped-propagating-apis', seen) ?? '';
    const entries = apis.split(';');
    const skipsKind = (apiVersion: string, kind: string) =>
      apis !== '' && entries.some((one) => skipsApi(one, apiVersion, kind));
    const skipped = seen.bindings.filter(({ spec: { resource } }) => {
      const { apiVersion, kind, namespace } = resource;
      return (namespace !== undefined && seen.skipsNamespace(namespace)) || skipsKind(apiVersion, kind);
    });
    const policyOf = policyOfUnbound(seen);
    const unbound = unboundTemplates(seen).filter(
      (one) => (isSkipped(one, seen) || skipsKind(one.apiVersion, one.kind)) && policyOf(one),
    );
    const evidence = {
      rule: 'the flag skips its namespace or its kind',
      field: 'skipped-propagating-namespaces, skipped-propagating-apis',
      value: [listOf(line, 'skipped-propagating-namespaces') ?? 'kube-.*', apis].filter((one) => one),
    };
    const remedy = 'take its namespace or kind out of the flag';
    const objects = unbound.map(identityOf);
    return [
      ...jointFinding(
        skipped,
        (workloads) =>
          `karmada-controller-manager skips ${workloads}: changes of template and policy do not reach the binding`,
        evidence,
        remedy,
      ),
      ...(objects.length === 0
        ? []
        : [
            finding(
              objects,
              `karmada-controller-manager skips ${firstObjectNames(objects)}, which a policy selects: no cluster gets ${objects.length === 1 ? 'it' : 'them'}`,
              evidence,
              'use another namespace, or take it out of the flag',
            ),
          ]),
    ];
  },
};
