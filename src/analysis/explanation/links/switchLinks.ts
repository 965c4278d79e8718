import type { Evidence } from '../../../karmada/evidence.ts';
import { evictingEffects } from '../../../karmada/taints/evictingTaints.ts';
import { taintEvictionSwitches, type TaintEvictionSwitch } from '../../../karmada/taints/taintEviction.ts';
import { holds, type FailoverLink, type LinkQuestion } from './link.ts';

const links: Record<TaintEvictionSwitch['name'], { id: string; how: string }> = {
  Failover: { id: 'failover-gate', how: '--feature-gates=Failover=true' },
  'enable-taint-manager': { id: 'taint-manager', how: '--enable-taint-manager=true' },
  'the controller cluster': { id: 'cluster-controller', how: '--controllers=*' },
  'enable-no-execute-taint-eviction': {
    id: 'no-execute-eviction',
    how: '--enable-no-execute-taint-eviction=true',
  },
};

/** The gate and flags without which no taint evicts. */
export function switchLinks({ configuration, unconfirmed, names }: LinkQuestion): FailoverLink[] {
  const effects = evictingEffects(configuration.rules);
  return taintEvictionSwitches(configuration).map(({ name, on }): FailoverLink => {
    const { id, how } = links[name];
    const evidence: Evidence = { rule: `${effects} taints evict nothing without it`, field: name, value: on };
    if (unconfirmed.has(name))
      return {
        id,
        state: on ? 'unknown' : 'broken',
        text: `${name}=${on} is the default; the state does not show how karmada-controller-manager was started`,
        fix: `give ${names.assume} ${name}=${!on} if it was started so, or let its Deployment be read: ${names.host}, or in the state`,
        evidence: [{ ...evidence, certainty: 'unknown', missing: `${names.assume} ${name}=VALUE` }],
      };
    if (on) return holds(id, `${name}=true`, [evidence]);
    return {
      id,
      state: 'broken',
      text:
        name === 'the controller cluster'
          ? `${name} is not started, and with it the taint manager: ${effects} taints evict nothing`
          : `${name}=false: ${effects} taints evict nothing`,
      fix: `start karmada-controller-manager with ${how}`,
      evidence: [evidence],
    };
  });
}
