/**
 * The controllers that --controllers of karmada-controller-manager chooses from, in any release
 * (cmd/controller-manager/app/controllermanager.go). The scheduler, the resource detector and the dependencies distributor are not
 * among them. `cluster` starts the taint manager, too.
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

/** Those of failover that a list such as "*,-gracefulEviction" can leave out, and that our rules then leave out as well. */
const LEFT_OUT = [
  ...(['cluster', 'clustertaintpolicy', 'gracefulEviction', 'applicationFailover'] as const),
  ...(['binding', 'bindingStatus', 'workloadRebalancer'] as const),
] as const satisfies readonly KarmadaController[];

/** Those that a karmada-agent runs as well, for its own cluster: our rules take them for started. */
const TAKEN_FOR_STARTED = [
  ...(['clusterStatus', 'execution', 'workStatus'] as const),
] as const satisfies readonly KarmadaController[];

/**
 * Whether a list such as "*,-gracefulEviction" starts a controller: the first entry that names it decides, "*" stands for all others
 * (IsControllerEnabled). A blank is part of a name, as pflag leaves it there.
 */
export function startsController(list: string, name: KarmadaController): boolean {
  const entries = list.split(',');
  const decisive = entries.find((one) => one === name || one === `-${name}`);
  return decisive === undefined ? entries.includes('*') : decisive === name;
}

/** The controllers of failover that a list does not start: those that our rules leave out then, and those that they do not. */
export function controllersOff(list: string): {
  leftOut: KarmadaController[];
  takenForStarted: KarmadaController[];
} {
  const isOff = (name: KarmadaController) => !startsController(list, name);
  return { leftOut: LEFT_OUT.filter(isOff), takenForStarted: TAKEN_FOR_STARTED.filter(isOff) };
}
