/** A kind of workloads whose controller is played in the members. */
export interface PlayedKind {
  kind: string;
  plural: string;
  /** path of the API group and version */
  group: string;
}

const native: PlayedKind[] = [
  { kind: 'Deployment', plural: 'deployments', group: '/apis/apps/v1' },
  { kind: 'StatefulSet', plural: 'statefulsets', group: '/apis/apps/v1' },
  { kind: 'DaemonSet', plural: 'daemonsets', group: '/apis/apps/v1' },
  { kind: 'Job', plural: 'jobs', group: '/apis/batch/v1' },
];

/** A custom resource with replicas, which members have if the test bed was brought up with it. */
export const widget: PlayedKind = {
  kind: 'Widget',
  plural: 'widgets',
  group: '/apis/e2e.karmada-failover/v1',
};

/** The kinds of workloads that have replicas in the members of a test bed. */
export function playedKinds({ widgets = false }: { widgets?: boolean | undefined }): PlayedKind[] {
  return widgets ? [...native, widget] : native;
}
