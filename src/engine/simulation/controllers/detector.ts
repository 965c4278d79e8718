import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration.ts';
import { applyPolicyChange } from '../../propagation/applyPolicyChange.ts';
import { applyTemplateChange } from '../../propagation/applyTemplateChange.ts';
import type { PropagationChange, PropagationInput } from '../../propagation/detector.ts';
import type { Evidence } from '../../evidence.ts';
import { missingKind, type World } from '../../world.ts';
import type { Agenda } from '../agenda.ts';
import { type BindingRecord, type SimulatedControlPlane } from '../controlPlane.ts';
import { identityOf, objectKey } from '../../objects/identities.ts';
import { latencies } from '../latencies.ts';

/**
 * The detector: bindings follow the policies and templates that are applied, changed or deleted. A template that
 * the state does not hold is stood in for by what its binding says of it.
 */
export function startDetector(
  plane: SimulatedControlPlane,
  agenda: Agenda,
  configuration: Configuration,
  unread?: World['unread'],
): void {
  let writing = false;

  function input(): PropagationInput & { standIns: ReadonlySet<string> } {
    const standIns = new Set<string>();
    const templates = [...plane.templates.values()];
    for (const record of plane.bindings) {
      if (record.deleted || plane.templates.has(objectKey(record.current.spec.resource))) continue;
      standIns.add(objectKey(record.identity));
      templates.push(standIn(record.current));
    }
    return {
      policies: [...plane.policies.values()],
      bindings: plane.bindings.filter(({ deleted }) => !deleted).map(({ current }) => current),
      templates,
      featureGates: configuration.featureGates,
      standIns,
    };
  }

  function write(changes: PropagationChange[], standIns: ReadonlySet<string>): void {
    writing = true;
    for (const change of changes) {
      switch (change.type) {
        case 'template':
          if (plane.templates.has(objectKey(identityOf(change.after)))) plane.writeTemplate(change.after);
          break;
        case 'held':
          plane.note({
            controller: 'detector',
            type: 'PolicyWaits',
            object: change.template,
            message: change.reason,
            evidence: change.evidence,
          });
          break;
        case 'binding':
          writeBinding(change, standIns);
      }
    }
    writing = false;
  }

  function guess({ spec: { resource } }: ResourceBinding): Evidence {
    const { kind, namespace, name } = resource;
    return {
      rule: 'the resource itself is not known: its labels are taken to be those of its binding',
      object: { kind, ...(namespace ? { namespace } : {}), name },
      certainty: 'estimate',
      missing: missingKind({ unread }, kind) ?? `the ${kind} ${namespace ? `${namespace}/` : ''}${name}`,
    };
  }

  function writeBinding(
    { before, after, evidence }: Extract<PropagationChange, { type: 'binding' }>,
    standIns: ReadonlySet<string>,
  ): void {
    const record = before && plane.findBinding(identityOf(before));
    const note = {
      controller: 'detector',
      type: 'BindingFollowed',
      evidence:
        before && standIns.has(objectKey(identityOf(before))) ? [...evidence, guess(before)] : evidence,
    } as const;
    if (!after) {
      if (record) plane.removeBinding(record);
    } else if (!record) {
      plane.addBinding(after);
    } else {
      const spec = standIns.has(objectKey(record.identity)) ? withReplicasOf(record, after) : after.spec;
      plane.writeBinding(
        record,
        { metadata: after.metadata, ...(spec === record.current.spec ? {} : { spec }) },
        note,
      );
    }
  }

  plane.observe({
    policyChanged(before, after) {
      agenda.plan(agenda.now() + latencies.detector, () => {
        const { standIns, ...seen } = input();
        const change = { ...(before ? { before } : {}), ...(after ? { after } : {}) };
        write(applyPolicyChange({ ...seen, change }), standIns);
      });
    },
    templateChanged(before, after) {
      if (writing) return;
      agenda.plan(agenda.now() + latencies.detector, () => {
        const { standIns, ...seen } = input();
        const change = { ...(before ? { before } : {}), ...(after ? { after } : {}) };
        write(applyTemplateChange({ ...seen, change }), standIns);
      });
    },
  });
}

/** Of a template no more is known than its identity and whose it is. */
function standIn({ metadata, spec }: ResourceBinding): KubernetesObject {
  const { apiVersion, kind, name, namespace, uid } = spec.resource;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace ? { namespace } : {}),
      ...(uid ? { uid } : {}),
      labels: { ...metadata.labels },
      annotations: { ...metadata.annotations },
    },
  };
}

/** What only the template could tell stays as it is. */
function withReplicasOf({ current }: BindingRecord, { spec }: ResourceBinding): ResourceBinding['spec'] {
  const { replicas, replicaRequirements, components } = current.spec;
  return {
    ...spec,
    ...(replicas === undefined ? {} : { replicas }),
    ...(replicaRequirements === undefined ? {} : { replicaRequirements }),
    ...(components === undefined ? {} : { components }),
  };
}
