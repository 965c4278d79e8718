import { cureNodes } from '../../../src/views/audit/auditCauses.ts';
import { expect, test } from '@jest/globals';
import type { Outcome } from '../../../src/simulator/verdicts/outcome.ts';
import { blocksText } from '../shownText.ts';

const cured = (leadsTo: Outcome) =>
  blocksText([
    {
      type: 'tree',
      nodes: cureNodes({
        workload: { kind: 'Deployment', namespace: 'shop', name: 'web' },
        contingency: 'east',
        changes: [
          {
            kinds: [],
            text: 'change the policy',
            size: 1,
            patches: [],
            gives: [{ name: 'east', replicas: 3 }],
            alternatives: [],
            leadsTo,
            best: [],
          },
        ],
      }),
    },
  ]);

test('a fix that keeps a workload on the failed cluster is described as staying, not as moving', () => {
  expect(cured('tolerates')).toBe(
    '- shop/deploy/web, if east fails: change the policy; then it stays on east×3',
  );
  expect(cured('moves')).toBe('- shop/deploy/web, if east fails: change the policy; then it moves to east×3');
});
