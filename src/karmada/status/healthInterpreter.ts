import type { KubernetesObject } from '../api/meta.ts';
import type { Rules } from '../dialects/rules.ts';
import { bundledHealth, bundledReplicaRevision } from './bundledInterpreters.ts';

/** The parts of an object that decide how Karmada interprets it. */
export interface InterpretedKind {
  apiVersion: string;
  kind: string;
}

export type InterpreterOperation = 'InterpretHealth' | 'ReviseReplica';

/** The kinds of objects that declare interpreters. */
export const INTERPRETERS = [
  'ResourceInterpreterCustomization',
  'ResourceInterpreterWebhookConfiguration',
] as const;

/** Hooks that objects of the control plane add to those that its version bundles. */
export interface DeclaredHooks {
  readonly rules: Rules['status'];
  enabled(resource: InterpretedKind, operation: InterpreterOperation): boolean;
}

/**
 * Whether Karmada can interpret the health of a kind. If not, every applied object counts as Healthy, and application
 * failover skips it.
 */
export function hasHealthInterpreter(resource: InterpretedKind, declared: DeclaredHooks): boolean {
  if (bundledHealth[declared.rules.bundledInterpreters].has(kindKey(resource))) return true;
  return declared.enabled(resource, 'InterpretHealth');
}

/** Whether Karmada sets the replicas that the scheduler assigned to a workload of the kind. */
export function hasReplicaRevision(resource: InterpretedKind, declared: DeclaredHooks): boolean {
  if (bundledReplicaRevision[declared.rules.bundledInterpreters].has(kindKey(resource))) return true;
  return declared.enabled(resource, 'ReviseReplica');
}

/** "apps/v1/Deployment": one text per kind and version. */
export function kindKey({ apiVersion, kind }: InterpretedKind): string {
  return `${apiVersion}/${kind}`;
}

/** Whether an object declares interpreters. */
export function declaresHooks({ kind }: KubernetesObject): boolean {
  return (INTERPRETERS as readonly string[]).includes(kind);
}

/**
 * The hooks that ResourceInterpreterCustomizations and ResourceInterpreterWebhookConfigurations among the objects
 * declare; other objects are skipped.
 */
export function declaredHooks(objects: Iterable<KubernetesObject>, rules: Rules): DeclaredHooks {
  const scripts = new Set<string>();
  const webhookRules: WebhookRule[] = [];
  for (const object of objects) {
    if (object.kind === 'ResourceInterpreterCustomization') addScripts(object as Customization, scripts);
    else if (object.kind === 'ResourceInterpreterWebhookConfiguration')
      for (const { rules: own = [] } of (object as WebhookConfiguration).webhooks ?? [])
        webhookRules.push(...own);
  }
  return {
    rules: rules.status,
    enabled: (resource, operation) =>
      scripts.has(`${operation} ${kindKey(resource)}`) ||
      webhookRules.some((rule) => matches(rule, resource, operation)),
  };
}

interface Customization extends KubernetesObject {
  spec?: {
    target?: InterpretedKind;
    customizations?: {
      healthInterpretation?: { luaScript?: string };
      replicaRevision?: { luaScript?: string };
    };
  };
}

function addScripts({ spec }: Customization, scripts: Set<string>): void {
  const { target, customizations } = spec ?? {};
  if (!target || !customizations) return;
  if (customizations.healthInterpretation?.luaScript) scripts.add(`InterpretHealth ${kindKey(target)}`);
  if (customizations.replicaRevision?.luaScript) scripts.add(`ReviseReplica ${kindKey(target)}`);
}

interface WebhookRule {
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  kinds?: string[];
}

interface WebhookConfiguration extends KubernetesObject {
  webhooks?: { rules?: WebhookRule[] }[];
}

function matches(rule: WebhookRule, resource: InterpretedKind, operation: string): boolean {
  const slash = resource.apiVersion.indexOf('/');
  const group = resource.apiVersion.slice(0, Math.max(0, slash));
  const version = resource.apiVersion.slice(slash + 1);
  const allows = (allowed: string[] | undefined, value: string) =>
    allowed?.some((one) => one === '*' || one === value) ?? false;
  return (
    allows(rule.operations, operation) &&
    allows(rule.apiGroups, group) &&
    allows(rule.apiVersions, version) &&
    allows(rule.kinds, resource.kind)
  );
}
