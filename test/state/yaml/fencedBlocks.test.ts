import { describe, expect, test } from '@jest/globals';
import { withoutProse } from '../../../src/state/yaml/fencedBlocks.ts';

const read = (...lines: string[]) => withoutProse(Buffer.from(lines.join('\n'))).toString();

describe('YAML out of the description of an issue', () => {
  test('is what its blocks of YAML and JSON hold, on the lines where they were', () => {
    expect(
      read('My cluster:', '```yaml', 'kind: Cluster', '```', 'and', '```json', '{"kind": "Work"}', '```'),
    ).toBe(['', '---', 'kind: Cluster', '---', '', '---', '{"kind": "Work"}', '---'].join('\n'));
  });

  test('has nothing of blocks in other languages', () => {
    expect(read('I ran', '```console', '$ kubectl get', '```', '~~~', 'kind: Cluster', '~~~')).toBe(
      ['', '---', '', '---', '---', 'kind: Cluster', '---'].join('\n'),
    );
  });

  test('is the text itself if that begins with an object, whatever it quotes', () => {
    const text = ['kind: ConfigMap', 'data:', '  readme: |', '```', '    code', '```'];
    expect(read(...text)).toBe(text.join('\n'));
  });
});
