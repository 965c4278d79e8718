import { expect, test } from '@jest/globals';
import { junit } from '../../../src/views/findings/junit.ts';

test('JUnit XML masks secrets and escapes control characters', () => {
  const object = { kind: 'ClusterTaintPolicy', name: 'network', file: 'policy.yaml', line: 1 };
  const message = 'see "https://anna:hunter2@wiki/x" \u001b[2J';
  const place = { file: 'policy.yaml', line: 2, column: 1 };
  const findings = [{ rule: 'team', severity: 'error' as const, message, object, place }];
  const text = junit({ findings, objects: [object], failOn: 'error' });
  expect(text).toContain('message="see &quot;https://***@wiki/x&quot; ^[[2J"');
  expect(text).not.toContain('hunter2');
});

test('a finding belongs to the object at its line, whatever the order of objects', () => {
  const at = (name: string, line: number) => ({ kind: 'PropagationPolicy', name, file: 'all.yaml', line });
  const [first, second] = [at('first', 1), at('second', 10)] as const;
  const place = { file: 'all.yaml', line: 12, column: 5 };
  const findings = [{ rule: 'team', severity: 'error' as const, message: 'no', object: second, place }];
  const text = junit({ findings, objects: [second, first], failOn: 'error' });
  expect(text).toMatch(
    /name="first" file="all\.yaml" line="1"\/>\n.*name="second" .*>\n +<failure type="team"/,
  );
});
