import type { OpenApiSchema } from '../../../src/state/live/served/servedVersion.ts';

const POLICY = '/openapi/v3/apis/policy.karmada.io/v1alpha1';
const WORK = '/openapi/v3/apis/work.karmada.io/v1alpha2';

type Fields = Record<string, OpenApiSchema>;
const object = (properties: Fields): OpenApiSchema => ({ properties });

/** The schema of a binding with these fields in its tasks, and others in its spec. */
export function bindingSchema(task: Fields, spec: Fields = {}): OpenApiSchema {
  return object({ spec: object({ ...spec, gracefulEvictionTasks: { items: object(task) } }) });
}

/** The schema of a ClusterTaintPolicy with these fields in its spec. */
export function taintPolicySchema(spec: Fields): OpenApiSchema {
  return object({ spec: object(spec) });
}

/** The OpenAPI documents of an API server; v1.18's, unless set otherwise. */
export function openApi({
  binding = bindingSchema({ fromCluster: {}, purgeMode: {}, preservedLabelState: {} }),
  policy = taintPolicySchema({ addOnConditions: {}, removeOnConditions: {}, taints: {} }),
}: { binding?: OpenApiSchema; policy?: OpenApiSchema } = {}): Record<string, unknown> {
  const named = (group: string, schemas: Fields) => ({
    components: {
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([kind, schema]) => [`io.karmada.${group}.${kind}`, schema]),
      ),
    },
  });
  return {
    '/openapi/v3': { paths: {} },
    [POLICY]: named('policy', { ClusterTaintPolicy: policy }),
    [WORK]: named('work', { ResourceBinding: binding, ClusterResourceBinding: binding }),
  };
}
