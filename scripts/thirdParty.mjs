// The licences of what is bundled, which ask that their texts go along with copies.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE = /^(?:licen[cs]e|copying|notice)/i;

/** The text of dist/THIRD-PARTY, given the paths of the files that are bundled. */
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
