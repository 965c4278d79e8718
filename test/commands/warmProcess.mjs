// Runs one command line after another, each until Node would end the process, reusing compiled code. A line on the first pipe is a request:
// arguments as JSON. A line on the second pipe is the response: the exit code.
import { openSync, readSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers';

const [requests, answers, bundle] = process.argv.splice(2);
const answer = openSync(answers, 'w');
const request = openSync(requests, 'r');
const { main, root } = createRequire(bundle)(bundle).load('main.cjs');

/** whether a command line is still running */
let isRunning = false;
const say = (text) => isRunning && writeSync(answer, `${text}\n`);
// a command that ends the process ends this one, too
process.on('exit', (code) => say(`${code}, the last`));

const emitters = [process, process.stdout, process.stderr];
const own = emitters.map((emitter) => emitter.eventNames().flatMap((name) => emitter.listeners(name)));

function forgetListeners() {
  for (const [index, emitter] of emitters.entries())
    for (const name of emitter.eventNames())
      for (const listener of emitter.listeners(name))
        if (!own[index].includes(listener)) emitter.off(name, listener);
}

/** The next line, or nothing if the parent is gone. */
function nextRequest() {
  const piece = Buffer.alloc(1 << 16);
  let line = '';
  while (!line.endsWith('\n')) {
    const length = readSync(request, piece);
    if (length === 0) return '';
    line += piece.toString('latin1', 0, length);
  }
  return Buffer.from(line, 'latin1').toString();
}

function next() {
  say(process.exitCode ?? 0);
  isRunning = false;
  forgetListeners();
  process.exitCode = undefined;
  const line = nextRequest();
  if (line === '') return;
  isRunning = true;
  const argv = JSON.parse(line);
  process.argv.splice(2, Infinity, ...argv);
  // the command has finished: Node would exit here
  process.on('beforeExit', next);
  setImmediate(() => {
    main(argv, root).then((code) => {
      process.exitCode = code;
    });
  });
}

next();
