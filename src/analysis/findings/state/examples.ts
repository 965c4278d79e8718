import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import { binaries, type Component } from '../../../karmada/dialects/flags.ts';
import { clusterObject } from './about.ts';
import type { Example } from './stateCheck.ts';

/** The objects of the healthy control plane that examples change. */
export const web = { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' };
export const webPolicy = { kind: 'PropagationPolicy', namespace: 'shop', name: 'web' };
export const member1 = clusterObject('member1');

/** The Deployment that runs a component of Karmada. */
export const running = (component: Component): ObjectIdentity => ({
  kind: 'Deployment',
  namespace: 'karmada-system',
  name: binaries[component],
});

/** One object otherwise; null removes it. */
export const patched = (target: ObjectIdentity, merge: unknown) => ({ patches: [{ target, merge }] });

/** Components started with further arguments. */
export const runs = (flags: Example['flags']): Example => ({ flags });

/** A component whose container is this. */
export const container = (component: Component, more: object) =>
  patched(running(component), {
    spec: {
      template: {
        spec: {
          containers: [{ name: binaries[component], command: [`/bin/${binaries[component]}`], ...more }],
        },
      },
    },
  });

/** The workload placed so. */
export const placed = (placement: object, more: object = {}) =>
  patched(web, { spec: { placement, ...more } });

/** Ready is not True since then. */
export const notReady = (lastTransitionTime: string, status = 'False', reason = 'ClusterNotReachable') => ({
  status: { conditions: [{ type: 'Ready', status, reason, lastTransitionTime }] },
});

/** The workload asks for application failover. */
export const asks = (application: object, more: object = {}): Example =>
  patched(web, { spec: { failover: { application }, ...more } });

export const patient = { decisionConditions: { tolerationSeconds: 300 }, purgeMode: 'Gracefully' };
