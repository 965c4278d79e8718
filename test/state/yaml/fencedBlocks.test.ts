import { describe, expect, test } from '@jest/globals';
import { withoutProse } from '../../../src/state/yaml/fencedBlocks.ts';

const read = (...lines: string[]) => withoutProse(Buffer.from(lines.join('\n'))).toString();

describe('YAML from the description of an issue', () => {
  test('consists of its YAML and JSON blocks, on their original lines', () => {
    expect(
      read('My cluster:', '```yaml', 'kind: Cluster', '```', 'and', '```json', '{"kind": "Work"}', '```'),
    ).toBe(['', '---', 'kind: Cluster', '---', '', '---', '{"kind": "Work"}', '---'].join('\n'));
  });

  test('excludes blocks in other languages', () => {
    expect(read('I ran', '```console', '$ kubectl get', '```', '~~~', 'kind: Cluster', '~~~')).toBe(
      ['', '---', '', '---', '---', 'kind: Cluster', '---'].join('\n'),
    );
  });

  test('is the whole text if it begins with an object', () => {
    const text = ['kind: ConfigMap', 'data:', '  readme: |', '```', '    code', '```'];
    expect(read(...text)).toBe(text.join('\n'));
  });
});
