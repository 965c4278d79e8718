import { expect } from '@jest/globals';
import type { Path } from '../../../src/kubernetes/fieldPath.ts';
import { parseAnyYaml } from '../../../src/state/yaml/anyYaml.ts';
import { placesInKubectlLayout } from '../../../src/state/yaml/kubectlLayout.ts';
import { yamlDocuments } from '../../../src/state/yaml/yamlDocuments.ts';
import { YamlValues } from '../../../src/state/yaml/yamlValues.ts';

const refuseWarnings = () => {
  throw new Error('a warning');
};
export const slowly = (text: string) => parseAnyYaml(text, refuseWarnings);

/** All paths in a value. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const inner = steps.flatMap((step) =>
    pathsIn((value as Record<string | number, unknown>)[step], [...path, step]),
  );
  return [path, ...inner];
}

/** Expects every place in a text to be where the whole parser puts it. */
export function expectSamePlaces(text: string, value: unknown): void {
  const [document] = yamlDocuments({ text, line: 1 }, '', { tokens: 0 });
  const { contents, fail } = document!;
  const values = new YamlValues(fail, refuseWarnings);
  values.valueOf(contents);
  const paths = pathsIn(value).flatMap((one) => [one, [...one, 'none']]);
  expect(paths.map(placesInKubectlLayout(text))).toEqual(
    paths.map((path) => values.offsetOf(contents, path)),
  );
}
