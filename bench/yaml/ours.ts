// Child process of the YAML bench: our reader on a file, keeping every object.
import { readFileSync } from 'node:fs';
import { readYaml } from '../../src/state/yaml/yamlText.ts';
import { reportParse } from './parse.ts';

await reportParse(async () => {
  const items: unknown[] = [];
  await readYaml(readFileSync(process.argv[2]!), 'state.yaml', 1, {
    beginItems: () => undefined,
    item: (value) => items.push(value),
    document: () => undefined,
    warn: (line, message) => {
      throw new Error(`line ${line}: ${message}`);
    },
  });
  return items.length;
});
