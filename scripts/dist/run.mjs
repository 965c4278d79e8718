// Makes everything that is published, from a built bundle: npm run dist [-- --only linux-amd64,… --out FOLDER --home URL --deb --sbom]
//
// For each platform an archive with the executable; the npm package; krew's manifest; with --deb Debian packages; with --sbom a bill of
// materials; and SHA256SUMS of all files. Two runs on one commit give the same bytes.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { signedAdHoc } from './adHocSignature.mjs';
import { writeArchive } from './archive.mjs';
import { bunVersion, compile } from './bun/bun.mjs';
import { debianPackage } from './debian.mjs';
import { krewManifest } from './krew.mjs';
import { npmPackage } from './npmPackage.mjs';
import { EXECUTABLE, platforms } from './platforms.mjs';
import { billOfMaterials } from './sbom.mjs';

const root = resolve(import.meta.dirname, '../..');
process.chdir(root);
const repository = process.env.GITHUB_REPOSITORY ?? 'OWNER/kubectl-karmada-failover';
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: platforms.map(({ name }) => name).join(',') },
    out: { type: 'string', default: 'release' },
    deb: { type: 'boolean', default: false },
    sbom: { type: 'boolean', default: false },
    // the release that krew downloads from
    home: { type: 'string', default: `https://github.com/${repository}` },
  },
});
const out = resolve(values.out);
const wanted = values.only.split(',');
const unknown = wanted.filter((name) => !platforms.some((platform) => platform.name === name));
if (unknown.length > 0) throw new Error(`no platform ${unknown.join(', ')}`);
const packageJson = JSON.parse(readFileSync('package.json', 'utf8'));
const { version, description } = packageJson;

const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** The licences of the packages in an executable, and of Bun, whose packages contain none. */
const licences = (bundled, bun) => `Bun ${bun} (MIT)

It is made by Oven (https://bun.com) and holds JavaScriptCore (LGPL-2.1), among others. Their licences, and how to link it with another
JavaScriptCore: https://github.com/oven-sh/bun/blob/bun-v${bun}/LICENSE.md

${'-'.repeat(80)}
${bundled}`;

/** An archive with the executable of a platform and its accompanying files. */
async function archiveFor(platform) {
  const folder = join(out, platform.name);
  mkdirSync(folder, { recursive: true });
  const executable = join(folder, platform.executable);
  compile(platform, executable);
  if (platform.os === 'darwin')
    writeFileSync(executable, signedAdHoc(readFileSync(executable), EXECUTABLE), { mode: 0o755 });
  const thirdParty = join(folder, 'THIRD-PARTY');
  writeFileSync(thirdParty, licences(readFileSync(thirdParty, 'utf8'), bunVersion(platform)));
  const examples = readdirSync('examples', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  const file = `${EXECUTABLE}-${version}-${platform.name}.tar.gz`;
  await writeArchive(join(out, file), [
    { name: platform.executable, content: readFileSync(executable), mode: 0o755 },
    { name: 'LICENSE', content: readFileSync('LICENSE') },
    { name: 'README.md', content: readFileSync('README.md') },
    { name: 'THIRD-PARTY', content: readFileSync(thirdParty) },
    ...examples.map((name) => ({ name: name.replaceAll('\\', '/'), content: readFileSync(name) })),
  ]);
  return { ...platform, file, sha256: sha256(join(out, file)) };
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const archives = [];
for (const platform of platforms.filter(({ name }) => wanted.includes(name)))
  archives.push(await archiveFor(platform));
writeFileSync(
  join(out, 'karmada-failover.yaml'),
  krewManifest({ version, description, homepage: values.home }, archives),
);
npmPackage(packageJson, out);
if (values.deb)
  for (const platform of archives) if (platform.os === 'linux') debianPackage(platform, packageJson, out);
if (values.sbom) billOfMaterials(out, archives);
const published = readdirSync(out, { withFileTypes: true }).filter((entry) => entry.isFile());
const sums = published.map(({ name }) => `${sha256(join(out, name))}  ${name}\n`).sort();
writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
process.stdout.write(sums.join(''));
