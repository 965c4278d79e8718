// The licences of the bundled packages, which require their texts in copies.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE = /^(?:licen[cs]e|copying|notice)/i;

/** The text of dist/THIRD-PARTY, from the paths of the bundled files. */
export function thirdParty(root, paths) {
  const directories = paths.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const sections = [...new Set(directories)].map((directory) => {
    const own = join(root, directory.replace(/^[\w-]+:/, ''));
    const { name, version, license, repository } = JSON.parse(
      readFileSync(join(own, 'package.json'), 'utf8'),
    );
    const texts = readdirSync(own)
      .filter((file) => LICENCE.test(file))
      .sort()
      .map((file) => readFileSync(join(own, file), 'utf8').trim());
    const text =
      texts.join('\n\n') || `The package holds no text of it; see ${repository?.url ?? repository}.`;
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return [...new Set(sections)].sort().join(`\n${'-'.repeat(80)}\n`);
}
