import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { createRepeats, withCount, type Line } from '../../src/terminal/repeats.ts';

/** Lines in time: the printed output, and a clock that advances. */
function log() {
  const printed: string[] = [];
  let now = 0;
  let due: { at: number; callBack: () => void } | undefined;
  const { line, end } = createRepeats<Line>({
    print: ({ text }, repeated) => printed.push(repeated ? withCount(text, repeated) : text),
    now: () => now,
    later(callBack, milliseconds) {
      due = { at: now + milliseconds, callBack };
      return () => (due = undefined);
    },
  });
  return {
    printed,
    end,
    say: (text: string, more: Partial<Line> = {}) => line({ text, key: text, ...more }),
    pass(seconds: number) {
      const until = now + seconds * 1000;
      while (due && due.at <= until) {
        const { at, callBack } = due;
        now = at;
        due = undefined;
        callBack();
      }
      now = until;
    },
  };
}

describe('a repeated line', () => {
  test('is printed once, and counted when another line follows', () => {
    const { say, pass, printed } = log();
    for (let time = 0; time < 5; time++) {
      say('refused');
      pass(3);
    }
    expect(printed).toEqual(['refused']);
    say('done');
    expect(printed).toEqual(['refused', 'refused (repeated 4 times in 12s)', 'done']);
  });

  test('is printed a second time, without a count, if it came twice', () => {
    const { say, printed } = log();
    for (const text of ['refused', 'refused', 'done']) say(text);
    expect(printed).toEqual(['refused', 'refused', 'done']);
  });

  test('is counted at intervals that double, up to ten minutes', () => {
    const { say, pass, printed } = log();
    for (let second = 0; second < 3600; second++) {
      say('refused');
      pass(1);
    }
    const counts = printed.slice(1).map((text) => Number(/repeated (\d+) times/.exec(text)?.[1]));
    expect(counts.slice(0, 6)).toEqual([29, 60, 120, 240, 480, 600]);
    expect(printed.length).toBeLessThan(12);
  });

  test('is counted at the end, and no repetition is lost', () => {
    const { say, end, printed } = log();
    for (let time = 0; time < 7; time++) say('refused');
    end();
    end();
    expect(printed).toEqual(['refused', 'refused (repeated 6 times)']);
    say('refused');
    expect(printed).toHaveLength(3);
  });

  test('is printed with its new time after a minute', () => {
    const { say, pass, printed } = log();
    say('08:00 refused', { key: 'refused' });
    pass(60);
    say('08:01 refused', { key: 'refused' });
    expect(printed).toEqual(['08:00 refused', '08:01 refused']);
  });

  test('is counted with the time of the latest occurrence', () => {
    const { say, end, printed } = log();
    for (const second of [1, 2, 3]) say(`08:00:0${second} refused`, { key: 'refused' });
    end();
    expect(printed).toEqual(['08:00:01 refused', '08:00:03 refused (repeated 2 times)']);
  });

  test('is printed in full after a different line', () => {
    const { say, printed } = log();
    for (const text of ['paused', 'normal', 'paused', 'normal']) say(text);
    expect(printed).toEqual(['paused', 'normal', 'paused', 'normal']);
  });
});

describe('alternating failures of several objects', () => {
  test('are printed once each, and counted in order before the next line', () => {
    const { say, pass, printed } = log();
    for (let time = 0; time < 3; time++) {
      for (const name of ['web', 'cart']) say(`${name}: refused`, { failure: true });
      pass(5);
    }
    expect(printed).toEqual(['web: refused', 'cart: refused']);
    say('stopped');
    expect(printed.slice(2)).toEqual([
      'web: refused (repeated 2 times in 10s)',
      'cart: refused (repeated 2 times in 10s)',
      'stopped',
    ]);
  });

  test('are all printed if there are too many objects to remember', () => {
    const { say, end, printed } = log();
    for (let time = 0; time < 2; time++)
      for (let object = 0; object < 100; object++) say(`w${object}: refused`, { failure: true });
    end();
    expect(new Set(printed).size).toBe(100);
    expect(printed).toHaveLength(200);
  });
});

describe('when the process ends', () => {
  const all = [
    '{"level":50,"time":1,"msg":"oops"}',
    '{"level":50,"time":3,"msg":"oops","repeated":2,"withinSeconds":0}',
    'E0901 08:00:01.000 refused',
    'E0901 08:00:03.000 refused (repeated 2 times)',
    'asked again',
    'asked again (repeated 2 times)',
  ];

  test.each<[string, NodeJS.Signals | undefined, [code: number | null, signal: string | null]]>([
    ['by itself', undefined, [0, null]],
    ['with a code', undefined, [3, null]],
    ['by an error', undefined, [1, null]],
    ['by a signal', 'SIGTERM', [null, 'SIGTERM']],
    ['by a signal', 'SIGINT', [null, 'SIGINT']],
    ['by a signal that it settles', 'SIGTERM', [0, null]],
  ])('%s (%s), all counts are printed', async (how, signal, ended) => {
    const child = spawn(process.execPath, ['scripts/run-ts.mjs', 'test/terminal/sayAndEnd.ts', how], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let written = '';
    child.stderr.on('data', (text) => (written += String(text)));
    if (signal) child.stdout.once('data', () => child.kill(signal));
    expect(await once(child, 'close')).toEqual(ended);
    // on a busy machine a second may pass between two of them
    const lines = written.replaceAll(/(?<="withinSeconds":)\d+/g, '0').replaceAll(/ in \d+s(?=\))/g, '');
    expect(lines.split('\n').filter((line) => all.includes(line))).toEqual(all);
  });
});
