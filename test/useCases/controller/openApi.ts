import type { OpenApiSchema } from '../../../src/state/live/served/servedVersion.ts';

const POLICY = '/openapi/v3/apis/policy.karmada.io/v1alpha1';
const WORK = '/openapi/v3/apis/work.karmada.io/v1alpha2';

type Fields = Record<string, OpenApiSchema>;
const object = (properties: Fields): OpenApiSchema => ({ properties });

/** The schema of a binding whose tasks have these fields, and its spec others. */
export function bindingSchema(task: Fields, spec: Fields = {}): OpenApiSchema {
  return object({ spec: object({ ...spec, gracefulEvictionTasks: { items: object(task) } }) });
}

/** The schema of a ClusterTaintPolicy whose spec has these fields. */
export function taintPolicySchema(spec: Fields): OpenApiSchema {
  return object({ spec: object(spec) });
}

/** The documents by which an API server shows its schemas; as v1.18's, unless said otherwise. */
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
