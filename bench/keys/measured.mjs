// Preloaded into a measured screen: reports to the bench what each key took, and the longest uninterrupted run of the thread.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setInterval } from 'node:timers';
import { isMainThread } from 'node:worker_threads';

const SAMPLE = 5;

if (isMainThread && process.env.KEYS_SOCKET) {
  const socket = connect(process.env.KEYS_SOCKET).unref();
  const report = (line) => socket.write(`${JSON.stringify(line)}\n`);
  report({ pid: process.pid });

  let bytes = 0;
  const write = process.stdout.write;
  process.stdout.write = function (text, ...rest) {
    bytes += Buffer.byteLength(text);
    return write.call(this, text, ...rest);
  };

  const emit = process.stdin.emit;
  process.stdin.emit = function (event, ...rest) {
    if (event !== 'data') return emit.call(this, event, ...rest);
    const before = schedule();
    bytes = 0;
    const result = emit.call(this, event, ...rest);
    const { ran, waited } = schedule();
    report({ key: rest[0], at: now(), ran: ran - before.ran, waited, bytes });
    return result;
  };

  if (process.env.KEYS_SAMPLED) {
    let last = schedule().ran;
    let longest = 0;
    setInterval(() => {
      const { ran } = schedule();
      longest = Math.max(longest, ran - last);
      last = ran;
    }, SAMPLE).unref();
    process.on('SIGUSR2', () => {
      report({ longest });
      longest = 0;
    });
  }
}

/** Milliseconds for which this thread has run, and for which it has waited for a processor. */
function schedule() {
  const [ran, waited] = readFileSync('/proc/self/schedstat', 'latin1').split(' ');
  return { ran: ran / 1e6, waited: waited / 1e6 };
}

function now() {
  return Number(process.hrtime.bigint()) / 1e6;
}
