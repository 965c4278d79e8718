import { expect, test } from '@jest/globals';
import { junit } from '../../../src/views/findings/junit.ts';

test('JUnit XML holds no secret of a message, and nothing that steers a terminal', () => {
  const object = { kind: 'ClusterTaintPolicy', name: 'network', file: 'policy.yaml', line: 1 };
  const message = 'see "https://anna:hunter2@wiki/x" \u001b[2J';
  const place = { file: 'policy.yaml', line: 2, column: 1 };
  const findings = [{ rule: 'team', severity: 'error' as const, message, object, place }];
  const text = junit({ findings, objects: [object], failOn: 'error' });
  expect(text).toContain('message="see &quot;https://***@wiki/x&quot; ^[[2J"');
  expect(text).not.toContain('hunter2');
});
