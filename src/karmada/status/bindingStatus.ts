import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { aggregateStatus, withFullyApplied, withItemHistory, workReports } from './aggregateStatus.ts';
import type { Controller, ReconcileRequest, Step, Wake } from '../controllers/controller.ts';
import { bindingKey } from '../objects/identities.ts';
import type { View } from '../controllers/view.ts';
import type { ChangeOf } from '../controllers/write.ts';

/**
 * The binding status controllers (Karmada v1.18): they rebuild aggregatedStatus and the condition FullyApplied when the
 * status of a binding's Work changes, or when a Work is gone. A Work that is created, or starts to be deleted, does not
 * wake them.
 */
export const bindingStatus: Controller = {
  wakes: { Work: workChanged, Binding: templateFollowed },
  reconcile,
};

function reconcile({ key, view, configuration, now }: ReconcileRequest<unknown>): Step<unknown> {
  const binding = view.get('Binding', key);
  if (!binding || binding.metadata.deletionTimestamp) return {};
  const found = workReports(view.worksOf(binding).values(), binding.spec.resource);
  if ('error' in found)
    return {
      failure: {
        reason: 'AggregateStatusFailed',
        message: found.error,
        unless: [{ kind: 'Work' }, { kind: 'Binding', key }],
      },
    };
  const { rules } = configuration;
  const reported = aggregateStatus(found.reports);
  const aggregatedStatus = rules.status.itemHistory
    ? withItemHistory(reported, binding.status?.aggregatedStatus, now)
    : reported;
  const before = binding.status?.conditions;
  const conditions = withFullyApplied(before, binding.spec, aggregatedStatus, rules, now);
  const status = { ...binding.status, conditions };
  if (aggregatedStatus.length > 0) status.aggregatedStatus = aggregatedStatus;
  else delete status.aggregatedStatus;
  if (deepEqual(status, binding.status)) return {};
  const object = { ...binding, status };
  return {
    writes: [{ verb: 'update', kind: 'Binding', key, part: 'status', lock: true, base: binding, object }],
  };
}

function workChanged({ before, after }: ChangeOf<'Work'>, view: View): Wake[] {
  if (!before || (after && deepEqual(before.status, after.status))) return [];
  const binding = view.bindingOf(after ?? before);
  return binding ? [{ key: bindingKey(binding) }] : [];
}

/** The controller sees a changed template as a change of its scheduled binding. */
function templateFollowed({ key, before, after }: ChangeOf<'Binding'>): Wake[] {
  if (!before || !after?.status?.lastScheduledTime) return [];
  return before.spec.resource.resourceVersion === after.spec.resource.resourceVersion ? [] : [{ key }];
}
