const identity = { kind: 'Deployment', namespace: 'shop', name: 'cart' };
const taint = { key: 'example.com/network', value: 'down', effect: 'NoSchedule' };
const evidence = [
  {
    rule: 'a condition holds',
    object: { kind: 'Cluster', namespace: 'none', name: 'alpha' },
    field: 'status.conditions',
    value: 1,
    taint,
    certainty: 'estimate',
    missing: 'a look',
  },
];
const move = { taint, policy: 'network', undone: true, evidence };
const look = {
  gains: [move],
  loses: [move],
  renews: [move],
  refused: 'no',
  contested: [{ taint, policies: ['network', 'other'] }],
};
const turn = { condition: { type: 'Network', status: 'False' }, from: 'True', ...look };
const compared = {
  outcome: 'moves',
  after: [{ name: 'beta', replicas: 2 }],
  certainty: 'estimate',
  dependsOn: ['the order'],
  possibleEnds: [[{ name: 'beta', replicas: 2 }]],
  reason: 'it fits',
  gap: { replicas: 1, seconds: 30, open: false },
  leavesAfterSeconds: 2,
};
const workload = { workload: identity, kinds: ['outcome'], without: compared, with: compared };
const condition = { conditionType: 'Network', operator: 'In', statusValues: ['False'] };
const time = '2026-09-01T08:00:00Z';

/** A saved plan to delete policies with every possible field. */
export const wholeDeletionPlan: Record<string, unknown> = {
  kind: 'TaintPolicyChange',
  schemaVersion: 'v1',
  karmadaVersion: 'v1.18',
  now: '2026-09-01T09:00:00Z',
  assumptions: [
    { name: 'Failover', value: true, source: 'default of v1.18', assumed: true, byDefault: true },
  ],
  action: 'delete',
  dryRun: 'client',
  policies: [{ name: 'network', verb: 'deleted' }],
  clusters: [
    { name: 'alpha', policies: ['network'], atOnce: look, removed: [taint], later: [turn], noLonger: [turn] },
  ],
  workloads: [workload],
  turns: [{ cluster: 'alpha', condition: turn.condition, workloads: [workload] }],
  turnsNotPlayed: 1,
  leftBehind: [
    {
      cluster: 'alpha',
      taint,
      since: time,
      why: 'deleted',
      policies: ['network'],
      wanted: 'up',
      ownership: {
        owner: 'policy',
        policies: ['network'],
        listedBy: ['network'],
        certainty: 'estimate',
        evidence,
      },
      stillListedBy: ['other'],
      removable: true,
    },
    {
      cluster: 'alpha',
      taint: { key: 'example.com/other', effect: 'NoSchedule' },
      since: null,
      why: 'deleted',
      policies: ['network'],
      ownership: { owner: 'person', policies: [], listedBy: [], certainty: 'certain', evidence: [] },
      stillListedBy: [],
      removable: false,
      keptBecause: 'not of a policy',
    },
  ],
  withTaints: true,
  standsOn: {
    policies: [
      {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'ClusterTaintPolicy',
        metadata: { name: 'network', uid: 'p', resourceVersion: '7', creationTimestamp: time },
        spec: {
          targetClusters: { clusterNames: ['alpha'] },
          addOnConditions: [condition],
          removeOnConditions: [condition],
          taints: [taint],
        },
      },
    ],
    clusters: [{ name: 'alpha', uid: 'a' }],
  },
  risks: [
    {
      code: 'workloads-lost',
      message: 'all copies of shop/deployment/cart are lost',
      stops: true,
      accepted: true,
      policy: 'network',
      field: 'spec.taints[0]',
      file: 'policy.yaml',
      line: 1,
      column: 1,
      assumed: ['Failover'],
    },
  ],
  refused: ['somebody has to look'],
  writes: [
    {
      kind: 'Cluster',
      name: 'alpha',
      action: 'untainted',
      taints: [taint],
      message: 'done',
      conflicts: [
        { manager: 'kubectl', field: '.spec.taints', apiVersion: 'v1', time: 'now', subresource: 'status' },
      ],
    },
  ],
  missing: [{ cluster: 'alpha', missing: [taint], stillThere: [taint], event: 'refused' }],
};
