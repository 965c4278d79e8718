import { expect, test } from '@jest/globals';
import { sarif } from '../../../src/views/findings/sarif.ts';

test('SARIF encodes any file name, even invalid Unicode', () => {
  const uri = (file: string) => {
    const finding = {
      rule: 'team',
      severity: 'error' as const,
      message: 'm',
      place: { file, line: 1, column: 1 },
    };
    const { runs } = JSON.parse(sarif({ findings: [finding], rules: [], version: 'v1' })) as {
      runs: { results: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }[] }[];
    };
    return runs[0]!.results[0]!.locations[0]!.physicalLocation.artifactLocation.uri;
  };
  expect(uri('policies/a b.yaml')).toBe('policies/a%20b.yaml');
  expect(uri('/policies/a#b.yaml')).toBe('file:///policies/a%23b.yaml');
  expect(uri('policies/\ud800.yaml')).toBe('policies/%EF%BF%BD.yaml');
});
