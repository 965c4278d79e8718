import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };
import { release, succeed, version } from './release.ts';

interface Component {
  'bom-ref': string;
  group?: string;
  name: string;
  version: string;
}
interface Bill {
  specVersion: string;
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const file = join(release, 'sbom.cdx.json');
const text = readFileSync(file, 'utf8');
const bill = JSON.parse(text) as Bill;
const nameOf = ({ group, name, version: of }: Component) => `${group ? `${group}/` : ''}${name}@${of}`;

/** Name and version of each package with a licence in a text. */
const licensed = (licences: string) =>
  [...licences.matchAll(/^(\S+) (\d\S*) \(.+\)$/gm)].map(([, name, of]) => `${name}@${of}`);

test("the SBOM is valid by CycloneDX's own schema", () => {
  const script = `
    const { Validation } = require('module').createRequire(process.argv[1])('@cyclonedx/cyclonedx-library');
    new Validation.JsonStrictValidator(process.argv[2]).validate(require('fs').readFileSync(0, 'utf8'))
      .then((error) => console.log(JSON.stringify(error)));`;
  const tool = readFileSync('scripts/dist/sbom.mjs', 'utf8').match(/@cyclonedx\/cyclonedx-npm@[\d.]+/)![0];
  const bin = execFileSync('npm', [
    'exec',
    '--yes',
    `--package=${tool}`,
    '--',
    'sh',
    '-c',
    'command -v cyclonedx-npm',
  ]);
  const validate = (bom: string) =>
    execFileSync('node', ['-e', script, dirname(bin.toString()), bill.specVersion], {
      input: bom,
      encoding: 'utf8',
    });
  expect(validate(text)).toBe('null\n');
  expect(validate(text.replace('"bomFormat"', '"format"'))).not.toBe('null\n');
});

test('the SBOM has this version, and lists exactly the bundled packages and Bun', () => {
  expect(nameOf(bill.metadata.component)).toBe(`${packageJson.name}@${version}`);
  const platforms = ['linux', 'darwin', 'windows'].flatMap((os) => [`${os}-amd64`, `${os}-arm64`]);
  const licences = [
    ...platforms.map((platform) => readFileSync(join(release, platform, 'THIRD-PARTY'), 'utf8')),
    succeed('tar', [
      '-xzOf',
      join(release, `${packageJson.name}-${version}.tgz`),
      'package/dist/THIRD-PARTY',
    ]),
  ];
  const bundled = new Set(licences.flatMap(licensed));
  const bun = [...bundled].filter((name) => name.startsWith('Bun@'));
  for (const name of bun) bundled.delete(name);
  const [ofBun, others] = [true, false].map(
    (want) => new Set(bill.components.map(nameOf).filter((name) => name.startsWith('@oven/bun-') === want)),
  );
  expect([...others!].sort()).toEqual([...bundled].sort());
  expect([...ofBun!].map((name) => `Bun@${name.split('@').at(-1)}`)).toEqual(platforms.map(() => bun[0]));
  // the product's dependencies are among them, build tools are not
  expect(bundled).toContain(`@oclif/core@${packageJson.dependencies['@oclif/core']}`);
  expect(bill.components.map(({ name }) => name)).not.toContain('esbuild');
});

test('the SBOM contains each dependency that it references', () => {
  const refs = [bill.metadata.component, ...bill.components].map((component) => component['bom-ref']);
  expect(
    bill.dependencies
      .flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])
      .filter((ref) => !refs.includes(ref)),
  ).toEqual([]);
});

test('repeated builds of the SBOM are identical to the byte', () => {
  const script = `
    const { platforms } = await import('./scripts/dist/platforms.mjs');
    (await import('./scripts/dist/sbom.mjs')).billOfMaterials(process.argv[1], platforms);`;
  execFileSync('node', ['--input-type=module', '-e', script, release]);
  expect(readFileSync(file, 'utf8')).toBe(text);
});
