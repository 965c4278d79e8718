import {
  type TaintEvictionSwitch,
  taintEvictionSwitches,
} from '../../../../karmada/configuration/taintEviction.ts';
import { whenFlagDecides } from '../../../../karmada/dialects/componentFlags.ts';
import { startsController } from '../../../../karmada/dialects/controllerList.ts';
import { decidingGates } from '../../../../karmada/dialects/featureGates.ts';
import { releasesText } from '../../../../karmada/dialects/history.ts';
import { evictingEffects } from '../../../../karmada/taints/evictingTaints.ts';
import { taintsOnFailure } from '../../../explanation/failoverSwitch.ts';
import { count, finding } from '../about.ts';
import { componentText, type Examined, runningObject } from '../examined.ts';
import { isWanted } from '../failoverWanted.ts';
import { startController, startWith } from '../remedies.ts';
import type { Diagnosed, StateCheck } from '../stateCheck.ts';

/** Whether the value of a gate or flag is an unverified default. */
function assumedOf(name: string, { unverified: unverified, proven }: Examined): Pick<Diagnosed, 'assumed'> {
  return unverified.has(name) && !proven.has(name) ? { assumed: [name] } : {};
}

/** A switch of karmada-controller-manager that is off, or is assumed to be. */
function switchedOff(
  name: TaintEvictionSwitch['name'],
  argument: string,
  since: string,
  seen: Examined,
): Diagnosed[] {
  const { configuration, unverified: unverified } = seen;
  const found = taintEvictionSwitches(configuration).find((one) => one.name === name);
  const automatic = name === 'Failover' && configuration.rules.taints.failureTaints === 'automatic';
  const isOff = found ? !found.on : automatic && !configuration.featureGates.Failover;
  if (!isOff) return [];
  const assumed = unverified.has(name);
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

const gateOffSince = releasesText(decidingGates.Failover.values, (state) => state?.default === false);

const flagSince = whenFlagDecides('controllerManager', 'enable-no-execute-taint-eviction');

export const failoverGateOff: StateCheck = {
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
  find: (seen) =>
    switchedOff(
      'Failover',
      '--feature-gates=Failover=true',
      seen.configuration.featureGates.Failover ? '' : `${gateOffSince} `,
      seen,
    ),
};

export const taintManagerOff: StateCheck = {
  id: 'taint-manager-off',
  severity: 'error',
  theme: 'chain',
  title: 'the taint manager is not started',
  help: 'enable-taint-manager=false: NoExecute taints evict nothing. Remove the flag, or set it to true.',
  needs: ['Configuration'],
  flags: ['enable-taint-manager'],
  symptoms: ['a cluster has a NoExecute taint, and no binding gets a gracefulEvictionTask'],
  issues: [3623],
  find: (seen) => switchedOff('enable-taint-manager', '--enable-taint-manager=true', '', seen),
};

export const noExecuteEvictionOff: StateCheck = {
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
  find: (seen) =>
    switchedOff(
      'enable-no-execute-taint-eviction',
      '--enable-no-execute-taint-eviction=true',
      `${flagSince} `,
      seen,
    ),
};

export const clusterControllerOff: StateCheck = {
  id: 'cluster-controller-off',
  severity: 'error',
  theme: 'chain',
  title: 'the controller "cluster", which starts the taint manager, is left out',
  help: '--controllers leaves out "cluster": no controller taints clusters, and no taint manager runs. Add it to --controllers.',
  needs: ['Configuration'],
  flags: ['controllers'],
  symptoms: ['clusters that are NotReady have no taint at all'],
  find: (seen) => {
    const { controllers } = seen.configuration.controllerManager;
    if (startsController(controllers, 'cluster')) return [];
    return finding(
      runningObject('controllerManager', seen),
      `failover is off: --controllers=${controllers} leaves out cluster, and with it the taint manager`,
      { rule: 'the controller starts the taint manager', field: 'controllers', value: controllers },
      startController('cluster', seen),
    );
  },
};

export const taintPolicyControllerOff: StateCheck = {
  id: 'taint-policy-controller-off',
  severity: 'error',
  theme: 'chain',
  title: 'the controller of ClusterTaintPolicies is left out',
  help: '--controllers leaves out "clustertaintpolicy": policies add no taint to any cluster. Add it to --controllers.',
  needs: ['ClusterTaintPolicy', 'Configuration'],
  flags: ['controllers'],
  versions: 'from v1.14.0 on',
  symptoms: ['addOnConditions of a ClusterTaintPolicy hold, and the Cluster has no such taint'],
  find: (seen) => {
    const { rules, controllerManager } = seen.configuration;
    const { controllers } = controllerManager;
    if (!rules.taints.clusterTaintPolicies || seen.world.taintPolicies.length === 0) return [];
    if (startsController(controllers, 'clustertaintpolicy')) return [];
    const started = { ...seen.configuration, controllerManager: { ...controllerManager, controllers: '*' } };
    const evicts = seen.world.clusters.some(
      (one) => taintsOnFailure(one, seen.world.taintPolicies, seen.now, started).taints.length > 0,
    );
    return finding(
      runningObject('controllerManager', seen),
      `${evicts ? 'failover is off: ' : ''}--controllers=${controllers} leaves out clustertaintpolicy: ${count(seen.world.taintPolicies.length, 'ClusterTaintPolicy does', 'ClusterTaintPolicies do')} nothing`,
      { rule: 'the controller adds the taints', field: 'controllers', value: controllers },
      startController('clustertaintpolicy', seen),
    );
  },
};
