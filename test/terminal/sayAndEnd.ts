import { printLogEntry, printLogLine, printNote } from '../../src/terminal/messages.ts';

/** A program that prints everything three times and exits as its argument says. */
for (let time = 1; time <= 3; time++) printLogEntry(`{"level":50,"time":${time},"msg":"oops"}`);
for (let time = 1; time <= 3; time++) printLogLine(`E0901 08:00:0${time}.000 refused`);
for (let time = 1; time <= 3; time++) printNote('asked again');

const [, , how] = process.argv;
if (how === 'with a code') process.exit(3);
if (how === 'by an error') throw new Error('on purpose');
if (how === 'by a signal that it settles') process.on('SIGTERM', () => process.exit(0));
if (how?.includes('signal')) {
  setInterval(() => undefined, 1000);
  process.stdout.write('ready');
}
