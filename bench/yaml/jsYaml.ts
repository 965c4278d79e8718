// Child process of the YAML bench: only js-yaml 4 on a file.
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { reportParse } from './parse.ts';

await reportParse(() => {
  const list = load(readFileSync(process.argv[2]!, 'utf8')) as { items: unknown[] };
  return Promise.resolve(list.items.length);
});
