import { afterEach, expect, jest, test } from '@jest/globals';
import { Interrupted, interruptible } from '../../src/terminal/interrupt.ts';

const exit = jest.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
afterEach(() => void exit.mockClear());

test.each(['SIGINT', 'SIGTERM'] as const)(
  'the first %s requests a stop, the second one ends the process',
  (name) => {
    const { signal, done } = interruptible();
    expect(signal.aborted).toBe(false);
    process.emit(name, name);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toBeInstanceOf(Interrupted);
    expect(signal.reason).toMatchObject({
      exitCode: 3,
      message: `stopped by ${name} before the end; run it again to resume`,
    });
    expect(exit).not.toHaveBeenCalled();
    process.emit('SIGINT', 'SIGINT');
    expect(exit).toHaveBeenCalledWith(130);
    done();
  },
);

test('after completion, signals have their default effect again', () => {
  const before = process.listenerCount('SIGINT');
  const { signal, done } = interruptible();
  expect(process.listenerCount('SIGINT')).toBe(before + 1);
  done();
  expect(process.listenerCount('SIGINT')).toBe(before);
  expect(process.listenerCount('SIGTERM')).toBe(before);
  expect(signal.aborted).toBe(false);
});

test('a closed terminal requests a stop, even if reported repeatedly; at the end the process exits by SIGHUP', () => {
  const kill = jest.spyOn(process, 'kill').mockImplementation(() => true);
  const before = process.listeners('exit');
  const { signal, done } = interruptible();
  process.emit('SIGHUP', 'SIGHUP');
  process.emit('SIGHUP', 'SIGHUP');
  // an ending session may send that, too
  process.emit('SIGTERM', 'SIGTERM');
  expect(signal.reason).toMatchObject({ message: expect.stringContaining('stopped by SIGHUP') });
  expect(exit).not.toHaveBeenCalled();
  const added = process.listeners('exit').filter((listener) => !before.includes(listener));
  expect(added).toHaveLength(1);
  process.off('exit', added[0]!);
  expect(kill).not.toHaveBeenCalled();
  done();
  added[0]!(0);
  expect(kill).toHaveBeenCalledWith(process.pid, 'SIGHUP');
  kill.mockRestore();
});

test.each([
  ['is ended after two seconds', false],
  ['is not ended while it completes a started action', true],
])('an interrupted command %s', (_, begun) => {
  jest.useFakeTimers();
  let isPatient = !begun;
  const { done } = interruptible({ patient: () => isPatient });
  isPatient = begun;
  process.emit('SIGTERM', 'SIGTERM');
  jest.advanceTimersByTime(2000);
  expect(exit.mock.calls).toEqual(begun ? [] : [[3]]);
  done();
  jest.useRealTimers();
});
