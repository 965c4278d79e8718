import type { Evidence } from '../../evidence.ts';
import { holds, type FailoverLink, type LinkQuestion } from './link.ts';

/** The gate and the two flags without which no taint evicts anything (Karmada v1.14 and later). */
export function switchLinks({ configuration, unconfirmed }: LinkQuestion): FailoverLink[] {
  const { featureGates, controllerManager } = configuration;
  return [
    {
      id: 'failover-gate',
      name: 'Failover',
      on: featureGates.Failover,
      how: '--feature-gates=Failover=true',
    },
    {
      id: 'taint-manager',
      name: 'enable-taint-manager',
      on: controllerManager['enable-taint-manager'],
      how: '--enable-taint-manager=true',
    },
    {
      id: 'no-execute-eviction',
      name: 'enable-no-execute-taint-eviction',
      on: controllerManager['enable-no-execute-taint-eviction'],
      how: '--enable-no-execute-taint-eviction=true',
    },
  ].map(({ id, name, on, how }): FailoverLink => {
    const evidence: Evidence = { rule: 'NoExecute taints evict nothing without it', field: name, value: on };
    if (unconfirmed.has(name))
      return {
        id,
        state: on ? 'unknown' : 'broken',
        text: `${name}=${on} is the default; the state does not tell how karmada-controller-manager was started`,
        fix: `give --assume ${name}=${!on} if it was started so, or let its Deployment be read: --host-context, or in the state`,
        evidence: [{ ...evidence, certainty: 'unknown', missing: `--assume ${name}=VALUE` }],
      };
    if (on) return holds(id, `${name}=true`, [evidence]);
    return {
      id,
      state: 'broken',
      text: `${name}=false: NoExecute taints evict nothing`,
      fix: `start karmada-controller-manager with ${how}`,
      evidence: [evidence],
    };
  });
}
