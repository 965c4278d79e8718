// What a release is made of, as CycloneDX: the packages that are bundled, and Bun, which executables run on.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bunVersion } from './bun/bun.mjs';

const TOOL = '@cyclonedx/cyclonedx-npm@6.0.1';

/** Name and version of each package that a text of licences (scripts/thirdParty.mjs) has. */
const packagesIn = (licences) =>
  [...licences.matchAll(/^(\S+) (\d\S*) \(/gm)].map(([, name, version]) => `${name}@${version}`);

/**
 * Writes the bill of a release into its folder. npm's lock names more than what is bundled: types, parts of libraries that nothing calls, tools.
 *
 * @param platforms those that there is an executable for, whose folders have the licences of what it bundles
 */
export function billOfMaterials(out, platforms) {
  const file = join(out, 'sbom.cdx.json');
  const argv = ['--package-lock-only', '--omit=dev', '--flatten-components', '--output-reproducible'];
  const tool = ['exec', '--yes', '--ignore-scripts', `--package=${TOOL}`, '--', 'cyclonedx-npm'];
  execFileSync('npm', [...tool, ...argv, `--output-file=${file}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const bill = JSON.parse(readFileSync(file, 'utf8'));
  const texts = ['dist', ...platforms.map(({ name }) => join(out, name))];
  const bundled = new Set([
    ...texts.flatMap((folder) => packagesIn(readFileSync(join(folder, 'THIRD-PARTY'), 'utf8'))),
    ...platforms.map((platform) => `${platform.bunPackage}@${bunVersion(platform)}`),
  ]);
  bill.components = bill.components.filter(({ group, name, version }) =>
    bundled.has(`${group ? `${group}/` : ''}${name}@${version}`),
  );
  const named = new Set(
    [bill.metadata.component, ...bill.components].map((component) => component['bom-ref']),
  );
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => named.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => named.has(other)) }));
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
}
