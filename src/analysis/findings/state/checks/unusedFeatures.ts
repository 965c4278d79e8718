import { identityOf } from '../../../../karmada/objects/identities.ts';
import { listsApi } from '../../../../karmada/scheduling/filters/apiEnablement.ts';
import { clusterObject, findingIn, firstNames } from '../about.ts';
import { isReady } from '../../../../karmada/objects/clusterReadiness.ts';
import { type Examined, flagOf } from '../examined.ts';
import { startWith } from '../remedies.ts';
import type { StateCheck } from '../stateCheck.ts';

// Objects that have no effect: their feature is off, or a cluster lacks what it needs.

/** Whether a component's arguments turn on a gate that no rule reads, or all alpha gates. */
function switchesOn(gate: string, seen: Examined): boolean {
  const given = flagOf('controllerManager', 'feature-gates', seen) ?? '';
  const values = new Map(given.split(',').map((one) => one.split('=') as [string, string]));
  return (values.get(gate) ?? values.get('AllAlpha')) === 'true';
}

export const serviceGateOff: StateCheck = {
  id: 'multi-cluster-service-gate-off',
  severity: 'warning',
  theme: 'placement',
  title: 'a MultiClusterService exists, and its feature is off',
  help: 'The controllers of MultiClusterServices run only with the gate MultiClusterService of karmada-controller-manager (and of karmada-agent), which is off by default: no cluster gets the Service or its endpoints.',
  needs: ['MultiClusterService', 'Deployment'],
  symptoms: ['a MultiClusterService has no status', 'no EndpointSlice in the consumer clusters'],
  issues: [6402],
  find: (seen) => {
    if (!seen.commandLines.some(({ component }) => component === 'controllerManager')) return [];
    if (switchesOn('MultiClusterService', seen)) return [];
    return seen
      .ofKind('MultiClusterService')
      .flatMap((object) =>
        'status' in object && object.status
          ? []
          : findingIn(
              identityOf(object),
              (name) => `${name} has no effect: gate MultiClusterService=false on karmada-controller-manager`,
              { rule: 'the gate is off by default', field: 'feature-gates', value: false },
              startWith('controllerManager', '--feature-gates=MultiClusterService=true', seen),
            ),
      );
  },
};

export const endpointSlicesNotServed: StateCheck = {
  id: 'endpoint-slices-not-served',
  severity: 'warning',
  theme: 'placement',
  title: 'a cluster of a MultiClusterService does not serve EndpointSlices',
  help: 'Karmada collects and dispatches discovery.k8s.io/v1 EndpointSlices, which Kubernetes serves from v1.21 on: without them a provider gives no endpoints, and a consumer gets none. Upgrade the cluster.',
  needs: ['MultiClusterService', 'Cluster'],
  symptoms: ['informer for discovery.k8s.io/v1, Resource=endpointslices has not synced', 'APIIncompatible'],
  issues: [2473, 2588],
  find: (seen) =>
    seen.othersOf('MultiClusterService').flatMap((object) => {
      const { spec } = object;
      const names = new Set([
        ...[...(spec?.providerClusters ?? []), ...(spec?.consumerClusters ?? [])].map(({ name }) => name),
        ...[...(spec?.serviceProvisionClusters ?? []), ...(spec?.serviceConsumptionClusters ?? [])],
      ]);
      const lacking = [...names].filter((name) => {
        const cluster = seen.clusters().get(name);
        return (
          isReady(cluster) &&
          !!cluster?.status?.apiEnablements?.length &&
          !listsApi(cluster, 'discovery.k8s.io/v1', 'EndpointSlice')
        );
      });
      const [first] = lacking;
      if (!first) return [];
      const { kubernetesVersion = 'of an unknown version' } = seen.clusters().get(first)?.status ?? {};
      return [
        findingIn(
          identityOf(object),
          (name) =>
            `${name}: ${firstNames(lacking)} (Kubernetes ${kubernetesVersion}) ${lacking.length === 1 ? 'does' : 'do'} not serve discovery.k8s.io/v1 EndpointSlice: no endpoints are sent there or collected there`,
          { rule: 'the API is not among its enablements', field: 'status.apiEnablements' },
          `upgrade ${firstNames(lacking)} to Kubernetes v1.21 or above`,
        ),
      ].map((one) => ({ ...one, objects: [...one.objects, clusterObject(first)] }));
    }),
};
