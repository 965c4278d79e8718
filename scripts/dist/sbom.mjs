// The bill of materials of a release, as CycloneDX: the bundled packages, and Bun, which executables run on.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bunVersion } from './bun/bun.mjs';

const TOOL = '@cyclonedx/cyclonedx-npm@6.0.1';

/** Name and version of each package in a licence text (scripts/thirdParty.mjs). */
const packagesIn = (licences) =>
  [...licences.matchAll(/^(\S+) (\d\S*) \(/gm)].map(([, name, version]) => `${name}@${version}`);

/**
 * Writes the bill of a release into its folder. npm's lock lists more than is bundled: types, unused parts of libraries, tools.
 *   @param platforms those with an executable, whose folders have the licences of what it bundles
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
