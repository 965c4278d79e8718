// npm run e2e:up, e2e:down, e2e:build [-- --karmada VERSION]: a test bed that stays up until it is taken down.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { commandOptions, refuse } from '../commandOptions.ts';
import { Bed, defaultOptions, up } from './controlPlane/bed.ts';
import { binary, buildMissing, hasGo, type Build } from './controlPlane/binaries.ts';
import { testKarmada } from './controlPlane/goModules.ts';

const pointer = resolve('node_modules/.cache/e2e/bed');
const USAGE = 'usage: npm run e2e:up | e2e:down | e2e:build [-- --karmada VERSION]';
const { positionals, values } = commandOptions(USAGE, {
  allowPositionals: true,
  options: { karmada: { type: 'string' } },
});
const [command] = positionals;
testKarmada(values.karmada);

function current(): Bed | undefined {
  try {
    return Bed.at(readFileSync(pointer, 'utf8'));
  } catch {
    return undefined;
  }
}

switch (command) {
  case 'build':
    build('designed');
    break;
  case 'up': {
    const running = current();
    if (running) {
      notify(running);
      break;
    }
    build();
    const bed = await up(defaultOptions, console.log, true);
    mkdirSync(dirname(pointer), { recursive: true });
    writeFileSync(pointer, bed.file.directory);
    notify(bed);
    bed.close();
    break;
  }
  case 'down': {
    const bed = current();
    rmSync(pointer, { force: true });
    await bed?.down();
    console.log(bed ? `${bed.file.directory} is down` : 'there is no test bed');
    break;
  }
  default:
    refuse(command === undefined ? 'no command was given' : `there is no command ${command}`, USAGE);
}

function build(which: Build = 'released'): void {
  if (!hasGo()) {
    console.error('the test bed is built with Go, and no go was found on the PATH');
    process.exit(1);
  }
  buildMissing(console.log, which);
}

function notify(bed: Bed): void {
  const contexts = Object.keys(bed.file.servers).join(', ');
  console.log(
    `Karmada ${bed.file.karmada} is up; logs and bed.json are in ${bed.file.directory}; contexts: ${contexts}`,
  );
  console.log(`export KUBECONFIG=${bed.kubeconfig} KUBECTL=${binary('kubectl')}`);
}
