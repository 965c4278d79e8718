import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { widget } from '../members/playedKinds.ts';

const [, , group = '', version = ''] = widget.group.split('/');

/** The custom resource of the test bed, for Karmada and its members. */
export const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${widget.plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind: widget.kind, plural: widget.plural },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
} satisfies KubernetesObject & { spec: unknown };

/** How Karmada reads and changes the replicas of the custom resource, and reports its health. */
export const widgetInterpreter = {
  apiVersion: 'config.karmada.io/v1alpha1',
  kind: 'ResourceInterpreterCustomization',
  metadata: { name: widget.plural },
  spec: {
    target: { apiVersion: `${group}/${version}`, kind: widget.kind },
    customizations: {
      replicaResource: {
        luaScript: 'function GetReplicas(obj)\n  return obj.spec.replicas, nil\nend',
      },
      replicaRevision: {
        luaScript:
          'function ReviseReplica(obj, desiredReplica)\n  obj.spec.replicas = desiredReplica\n  return obj\nend',
      },
      statusReflection: {
        luaScript: 'function ReflectStatus(observedObj)\n  return observedObj.status\nend',
      },
      healthInterpretation: {
        luaScript: [
          'function InterpretHealth(obj)',
          '  if obj.status == nil or obj.status.readyReplicas == nil then return false end',
          '  return obj.status.observedGeneration == obj.metadata.generation and obj.status.readyReplicas == obj.spec.replicas',
          'end',
        ].join('\n'),
      },
    },
  },
} satisfies KubernetesObject & { spec: unknown };
