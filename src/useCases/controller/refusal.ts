import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { Job } from '../../karmada/controllers/registry.ts';

/** Why controllers must not run on a control plane, and how to change that. */
export type RunRefusal =
  /** Karmada's own controller for the same job is running */
  | { code: 'same-job'; controller: Job; karmadas: string; found: string; off: string }
  /** Karmada's own controller was seen doing the same job while ours ran */
  | {
      code: 'same-job-seen';
      controller: Job;
      object: ObjectIdentity;
      time: string | undefined;
      off: string;
    }
  /** Karmada's controller manager is running, and which controllers it runs is unknown */
  | {
      code: 'unknown-flags';
      controllers: readonly Job[];
      /** "karmada-system/karmada-controller-manager" */
      lease: string;
      holder: string;
      /** epoch milliseconds */
      renewed: number;
    }
  /** whether a controller manager is running is unknown */
  | { code: 'unknown-manager'; controllers: readonly Job[]; why: string }
  /** the API does not know a field or value that would be written, and would drop or refuse it */
  | { code: 'not-kept'; kind: string; field: string; value?: string; controllers: readonly Job[] }
  /** the API server does not show whether it would accept a value */
  | {
      code: 'unknown-effect';
      kind: string;
      value: string;
      controllers: readonly Job[];
      why: string;
    }
  /** the API server does not show which fields it keeps */
  | { code: 'unknown-fields'; controllers: readonly Job[]; why: string }
  /** none of the chosen controllers would do anything */
  | { code: 'nothing-runs'; controllers: readonly IdleController[] };

/** A chosen controller that does nothing, and the gates and flags that would start it. */
export interface IdleController {
  controller: Job;
  needs: readonly string[];
}
