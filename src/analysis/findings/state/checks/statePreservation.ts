import type { StatePreservation } from '../../../../karmada/api/policy.ts';
import { preservedLabelStateOnCluster } from '../../../../karmada/eviction/statePreservation.ts';
import { workloadOf } from '../../../../karmada/objects/identities.ts';
import { finding, inBinding, firstObjectNames } from '../about.ts';
import type { Examined } from '../examined.ts';
import { startWith } from '../remedies.ts';
import type { Diagnosed, StateCheck } from '../stateCheck.ts';

/** The values that Kubernetes accepts for a label. */
const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/**
 * The result of state preservation on each cluster of a workload. The status of a copy that is not Healthy may be
 * incomplete: the later result of a rule is unknown.
 */
function preserved(
  seen: Examined,
  bad: (result: NonNullable<ReturnType<typeof preservedLabelStateOnCluster>>) => string | undefined,
): Diagnosed[] {
  const { rules } = seen.configuration;
  return seen.bindings.flatMap((binding) => {
    const { failover } = binding.spec;
    const asked: [string, StatePreservation | undefined][] = [
      ['application', failover?.application?.statePreservation],
      ['cluster', failover?.cluster?.statePreservation],
    ];
    return asked.flatMap(([which, preservation]) => {
      if (!preservation?.rules?.length) return [];
      const problems = (binding.spec.clusters ?? []).flatMap(({ name }) => {
        const reported = binding.status?.aggregatedStatus?.find(({ clusterName }) => clusterName === name);
        if (reported?.status == null) return [];
        const result = preservedLabelStateOnCluster(preservation, [reported], name, rules);
        const problem = result && bad(result);
        return problem === undefined
          ? []
          : [{ cluster: name, problem, health: reported.health ?? 'Unknown' }];
      });
      const [first = problems[0]] = problems.filter(({ health }) => health === 'Healthy');
      if (!first) return [];
      const isOpen = first.health !== 'Healthy';
      const workload = workloadOf(binding);
      return finding(
        [workload],
        `${firstObjectNames([workload])}: its state cannot be preserved on ${first.cluster}${isOpen ? ' yet' : ''}: ${first.problem}${isOpen ? `; the copy is ${first.health}, and its status may be incomplete` : ''}`,
        problems.map(({ cluster, problem, health }) => ({
          ...inBinding(binding, problem, `spec.failover.${which}.statePreservation.rules`, cluster),
          ...(health !== 'Healthy' && {
            certainty: 'estimate' as const,
            missing: `the status of a Healthy copy on ${cluster}`,
          }),
        })),
        isOpen
          ? 'check it again once the copy is Healthy: until then an eviction fails, and is retried'
          : 'correct jsonPath of the rule in the policy: it applies to the status that the cluster reports',
        isOpen ? 'warning' : undefined,
      );
    });
  });
}

export const statePathWrong: StateCheck = {
  id: 'state-path-wrong',
  severity: 'error',
  theme: 'application',
  title: 'the JSONPath of a state preservation rule fails on the real status',
  help: 'A rule applies to the status that the cluster reports, without .status in front. If it fails, the eviction itself fails and is retried: the workload does not move.',
  needs: ['ResourceBinding'],
  symptoms: ['failed to execute jsonpath', 'is not found'],
  issues: [5788, 6495],
  find: (seen) => preserved(seen, (result) => ('error' in result ? result.error : undefined)),
};

export const stateValueUnfit: StateCheck = {
  id: 'state-value-unfit',
  severity: 'error',
  theme: 'application',
  title: 'a preserved state is not a valid label value',
  help: 'Preserved state becomes labels of the new copy: at most 63 letters, digits, -, _ and .; lists, objects and large numbers (printed as 1e+06) do not fit, and the new Work is refused.',
  needs: ['ResourceBinding'],
  symptoms: [
    'metadata.labels: Invalid value',
    'a valid label must be an empty string or consist of alphanumeric characters',
  ],
  issues: [5788, 6495],
  find: (seen) =>
    preserved(seen, (result) => {
      if ('error' in result) return undefined;
      const unfit = Object.entries(result.labels).find(([, value]) => !LABEL_VALUE.test(value));
      return unfit && `the label ${unfit[0]} would be "${unfit[1].slice(0, 40)}"`;
    }),
};

export const injectionOff: StateCheck = {
  id: 'state-injection-off',
  lints: 'manifests',
  severity: 'error',
  theme: 'application',
  title: 'the gate for state preservation is off',
  help: 'StatefulFailoverInjection is false by default: statePreservation has no effect, and the new copy starts without its state. Start karmada-controller-manager with the gate.',
  needs: ['ResourceBinding', 'Configuration'],
  flags: ['StatefulFailoverInjection'],
  versions: 'from v1.12.0 on',
  symptoms: ['the new copy lacks the labels of statePreservation'],
  issues: [5788],
  find: (seen) => {
    if (seen.configuration.featureGates.StatefulFailoverInjection) return [];
    const stateful = seen.bindings.filter(
      ({ spec: { failover } }) =>
        failover?.application?.statePreservation?.rules?.length ||
        failover?.cluster?.statePreservation?.rules?.length,
    );
    if (stateful.length === 0) return [];
    const objects = stateful.map(workloadOf);
    const assumed = seen.unverified.has('StatefulFailoverInjection');
    return {
      message: `StatefulFailoverInjection=false${assumed ? ' is the default' : ''}: ${firstObjectNames(objects)} ${objects.length === 1 ? 'starts' : 'start'} elsewhere without state`,
      ...(assumed && { severity: 'warning' as const, assumed: ['StatefulFailoverInjection'] }),
      objects,
      evidence: [{ rule: 'the gate decides', field: 'StatefulFailoverInjection', value: false }],
      remedy: startWith('controllerManager', '--feature-gates=StatefulFailoverInjection=true', seen),
    };
  },
};
