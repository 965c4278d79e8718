import type { ConditionStatus } from '../../karmada/api/meta.ts';
import { CLUSTER_CONDITION_READY } from '../../karmada/api/names.ts';
import type { ScenarioAction } from '../../simulator/scenario.ts';
import type { FieldReader } from '../fieldReader.ts';

/**
 * The effects that Clusters of any version accept; a version without one of them refuses it when the scenario is
 * played.
 */
const EFFECTS = ['NoSchedule', 'NoExecute', 'PreferNoExecute'] as const;

type ReadAction = (path: string, found: unknown) => ScenarioAction;

/** How each action of a scenario is read, by its name. */
export function scenarioActions({
  fields,
  only,
  text,
  optionalText,
  oneOf,
  identity,
  manifest,
}: FieldReader): Record<ScenarioAction['type'], ReadAction> {
  /** "" counts as text here: it empties the message of a condition. */
  const maybeEmpty = (path: string, found: unknown) => (found === '' ? '' : optionalText(path, found));
  return {
    fail: (path, found) => ({ type: 'fail', cluster: text(path, found) }),
    recover: (path, found) => ({ type: 'recover', cluster: text(path, found) }),
    condition(path, found) {
      const entry = only(path, fields(path, found), ['cluster', 'type', 'status', 'reason', 'message']);
      const type = text(`${path}.type`, entry.type);
      const told = typeof entry.status === 'boolean' ? (entry.status ? 'True' : 'False') : entry.status;
      const reason = maybeEmpty(`${path}.reason`, entry.reason);
      const message = maybeEmpty(`${path}.message`, entry.message);
      return {
        type: 'condition',
        cluster: text(`${path}.cluster`, entry.cluster),
        condition: {
          type,
          // Karmada writes Ready itself; for other conditions the API takes any status.
          status:
            type === CLUSTER_CONDITION_READY
              ? oneOf(`${path}.status`, told, ['True', 'False', 'Unknown'])
              : (text(`${path}.status`, told) as ConditionStatus),
          ...(reason === undefined ? {} : { reason }),
          ...(message === undefined ? {} : { message }),
        },
      };
    },
    taint(path, found) {
      const entry = only(path, fields(path, found), ['cluster', 'key', 'value', 'effect']);
      const value = optionalText(`${path}.value`, entry.value);
      return {
        type: 'taint',
        cluster: text(`${path}.cluster`, entry.cluster),
        taint: {
          key: text(`${path}.key`, entry.key),
          ...(value ? { value } : {}),
          effect: oneOf(`${path}.effect`, entry.effect, EFFECTS),
        },
      };
    },
    untaint(path, found) {
      const entry = only(path, fields(path, found), ['cluster', 'key', 'value', 'effect']);
      return {
        type: 'untaint',
        cluster: text(`${path}.cluster`, entry.cluster),
        key: text(`${path}.key`, entry.key),
        ...(entry.effect === undefined ? {} : { effect: oneOf(`${path}.effect`, entry.effect, EFFECTS) }),
      };
    },
    health(path, found) {
      const entry = only(path, fields(path, found), ['kind', 'namespace', 'name', 'cluster', 'status']);
      return {
        type: 'health',
        workload: identity(path, entry),
        cluster: text(`${path}.cluster`, entry.cluster),
        health: oneOf(`${path}.status`, entry.status, ['Healthy', 'Unhealthy', 'Unknown']),
      };
    },
    patch(path, found) {
      const entry = only(path, fields(path, found), ['kind', 'namespace', 'name', 'merge']);
      return { type: 'patch', target: identity(path, entry), merge: fields(`${path}.merge`, entry.merge) };
    },
    apply: (path, found) => ({
      type: 'apply',
      objects: (Array.isArray(found) ? found : [found]).map((object, index) =>
        manifest(`${path}[${index}]`, object),
      ),
    }),
    delete: (path, found) => ({
      type: 'delete',
      target: identity(path, only(path, fields(path, found), ['apiVersion', 'kind', 'namespace', 'name'])),
    }),
    restart: (path, found) => ({
      type: 'restart',
      component: oneOf(path, found, ['karmada-controller-manager'] as const),
    }),
  };
}
