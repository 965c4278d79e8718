import { kindOf } from '../../kubernetes/schema/meta.ts';
import {
  json,
  list,
  map,
  optional,
  pointer,
  required,
  string,
  struct,
  text,
  type Data,
  type FieldMarkers,
} from '../../kubernetes/schema/schema.ts';
import { ClusterAffinity, ResourceSelector, type ApiRules } from './policy.ts';

// policy.karmada.io/v1alpha1: overrides for some clusters

const operator = (...names: string[]) =>
  required(text('v1alpha1.OverriderOperator'), { enum: names } satisfies FieldMarkers);

const LabelAnnotationOverrider = struct('v1alpha1.LabelAnnotationOverrider', {
  operator: operator('add', 'remove', 'replace'),
  value: required(map(string)),
});

const ImageOverrider = struct('v1alpha1.ImageOverrider', {
  predicate: optional(pointer(struct('v1alpha1.ImagePredicate', { path: required(string) }))),
  component: required(text('v1alpha1.ImageComponent'), { enum: ['Registry', 'Repository', 'Tag'] }),
  operator: operator('add', 'remove', 'replace'),
  value: optional(string),
});

const CommandArgsOverrider = struct('v1alpha1.CommandArgsOverrider', {
  containerName: required(string),
  operator: operator('add', 'remove'),
  value: optional(list(string)),
});

const PlaintextOverrider = struct('v1alpha1.PlaintextOverrider', {
  path: required(string),
  operator: operator('add', 'remove', 'replace'),
  value: optional(json),
});

const patchOperation = (goType: string) =>
  struct(goType, {
    subPath: required(string),
    operator: operator('add', 'remove', 'replace'),
    value: optional(json),
  });

export const FieldOverrider = struct('v1alpha1.FieldOverrider', {
  fieldPath: required(string),
  json: optional(list(patchOperation('v1alpha1.JSONPatchOperation')), { goName: 'JSON' }),
  yaml: optional(list(patchOperation('v1alpha1.YAMLPatchOperation')), { goName: 'YAML' }),
});

/** The override types of one version. */
export function overrideTypes(api: ApiRules) {
  const Overriders = struct('v1alpha1.Overriders', {
    plaintext: optional(list(PlaintextOverrider)),
    imageOverrider: optional(list(ImageOverrider)),
    commandOverrider: optional(list(CommandArgsOverrider)),
    argsOverrider: optional(list(CommandArgsOverrider)),
    labelsOverrider: optional(list(LabelAnnotationOverrider)),
    annotationsOverrider: optional(list(LabelAnnotationOverrider)),
    ...(api.fieldOverrider && { fieldOverrider: optional(list(FieldOverrider)) }),
  });
  const OverrideSpec = struct('v1alpha1.OverrideSpec', {
    resourceSelectors: optional(list(ResourceSelector)),
    overrideRules: optional(
      list(
        struct('v1alpha1.RuleWithCluster', {
          targetCluster: optional(pointer(ClusterAffinity)),
          overriders: required(Overriders),
        }),
      ),
    ),
    targetCluster: optional(pointer(ClusterAffinity)),
    overriders: optional(Overriders),
  });
  return {
    Overriders,
    OverridePolicy: kindOf('v1alpha1.OverridePolicy', { spec: required(OverrideSpec) }),
    ClusterOverridePolicy: kindOf('v1alpha1.ClusterOverridePolicy', { spec: required(OverrideSpec) }),
  };
}

export type OverrideTypes = ReturnType<typeof overrideTypes>;

/** ClusterOverridePolicy differs only in scope. */
export type OverridePolicy = Data<OverrideTypes['OverridePolicy']>;
export type OverrideSpec = OverridePolicy['spec'];
export type Overriders = Data<OverrideTypes['Overriders']>;
