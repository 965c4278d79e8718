import { versionSwitch } from '../history.ts';

/** Taints and the taint manager. */
export const taints = {
  evictionQueue: versionSwitch({
    decides:
      'which bindings of a tainted cluster the taint manager puts into its queue: all of them at once, or only those that do not tolerate the taints for ever, finite tolerations after their time',
    values: [
      { value: 'everyBinding' },
      { since: ['v1.16.8', 'v1.17.5', 'v1.18.2'], value: 'intolerantBindings' },
    ],
    tests: ['tolerations'],
  }),
};
