// Refuses a tag that is not "v" and the version of package.json: node scripts/dist/checkTag.mjs TAG
import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const [tag] = process.argv.slice(2);
if (tag !== `v${version}`) {
  console.error(`the tag is ${tag}, and package.json has version ${version}`);
  process.exit(1);
}
