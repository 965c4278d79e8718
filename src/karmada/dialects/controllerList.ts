/**
 * The controllers that --controllers of karmada-controller-manager selects, in any release
 * (cmd/controller-manager/app/controllermanager.go), not including the scheduler, the resource detector and the
 * dependencies distributor. `cluster` also starts the taint manager.
 */
export const KARMADA_CONTROLLERS = [
  ...([
    'cluster',
    'clusterStatus',
    'binding',
    'bindingStatus',
    'execution',
    'workStatus',
    'namespace',
  ] as const),
  ...([
    'serviceExport',
    'endpointSlice',
    'serviceImport',
    'unifiedAuth',
    'federatedResourceQuotaSync',
  ] as const),
  ...(['federatedResourceQuotaStatus', 'federatedResourceQuotaEnforcement', 'gracefulEviction'] as const),
  ...(['applicationFailover', 'federatedHorizontalPodAutoscaler', 'hpaReplicasSyncer'] as const),
  ...(['cronFederatedHorizontalPodAutoscaler', 'hpaScaleTargetMarker', 'deploymentReplicasSyncer'] as const),
  ...(['multiclusterservice', 'endpointsliceCollect', 'endpointsliceDispatch', 'remedy'] as const),
  ...(['workloadRebalancer', 'agentcsrapproving', 'clustertaintpolicy'] as const),
] as const;

export type KarmadaController = (typeof KARMADA_CONTROLLERS)[number];

/** The failover controllers that a list such as "*,-gracefulEviction" can disable; their rules are then skipped. */
const LEFT_OUT = [
  ...(['cluster', 'clustertaintpolicy', 'gracefulEviction', 'applicationFailover'] as const),
  ...(['binding', 'bindingStatus', 'workloadRebalancer'] as const),
] as const satisfies readonly KarmadaController[];

/** Controllers that a karmada-agent also runs, for its own cluster: they are assumed to be started. */
const ASSUMED_STARTED = [
  ...(['clusterStatus', 'execution', 'workStatus'] as const),
] as const satisfies readonly KarmadaController[];

/**
 * Whether a list such as "*,-gracefulEviction" starts a controller: the first entry that names it decides, "*" means
 * all others (IsControllerEnabled). A blank is part of a name, because pflag does not trim it.
 */
export function startsController(list: string, name: KarmadaController): boolean {
  const entries = list.split(',');
  const decisive = entries.find((one) => one === name || one === `-${name}`);
  return decisive === undefined ? entries.includes('*') : decisive === name;
}

/** The failover controllers that a list does not start: those with skipped rules, and those assumed to run anyway. */
export function controllersOff(list: string): {
  leftOut: KarmadaController[];
  assumedStarted: KarmadaController[];
} {
  const isOff = (name: KarmadaController) => !startsController(list, name);
  return { leftOut: LEFT_OUT.filter(isOff), assumedStarted: ASSUMED_STARTED.filter(isOff) };
}
