import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createAgenda, createKeyedQueue } from '../../../src/engine/simulation/agenda.ts';

describe('the agenda of virtual time', () => {
  test('tasks run in the order of their instants, equal instants in the order of planning', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 60 }), (instants) => {
        const agenda = createAgenda(0);
        const ran: [number, number][] = [];
        instants.forEach((at, order) => agenda.plan(at, () => ran.push([agenda.now(), order])));
        agenda.run(100);
        const expected = instants
          .map((at, order): [number, number] => [at, order])
          .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        expect(ran).toEqual(expected);
      }),
    );
  });

  test('a task planned for the past runs now', () => {
    const agenda = createAgenda(50);
    let ran = -1;
    agenda.plan(10, () => (ran = agenda.now()));
    agenda.run(100);
    expect(ran).toBe(50);
  });

  test('a run ends at its limit with later tasks untouched, and at the last task when nothing is left', () => {
    const agenda = createAgenda(0);
    const ran: number[] = [];
    for (const at of [10, 20, 30]) agenda.plan(at, () => ran.push(at));
    agenda.run(25);
    expect(ran).toEqual([10, 20]);
    expect(agenda.now()).toBe(25);
    agenda.run(1000);
    expect(ran).toEqual([10, 20, 30]);
    expect(agenda.now()).toBe(30);
  });
});

describe("a controller's queue", () => {
  test('a key waits once, at the earliest instant it was added for', () => {
    const agenda = createAgenda(0);
    const looks: [string, number][] = [];
    const queue = createKeyedQueue<string>(agenda, (key) => looks.push([key, agenda.now()]));
    queue.add('a', 30);
    queue.add('a', 10);
    queue.add('a', 20);
    queue.add('b', 5);
    agenda.run(100);
    expect(looks).toEqual([
      ['b', 5],
      ['a', 10],
    ]);
  });

  test('a key added while it is looked at is looked at again', () => {
    const agenda = createAgenda(0);
    const looks: number[] = [];
    const queue = createKeyedQueue<string>(agenda, (key) => {
      looks.push(agenda.now());
      if (looks.length < 3) queue.add(key, agenda.now() + 7);
    });
    queue.add('a', 0);
    agenda.run(100);
    expect(looks).toEqual([0, 7, 14]);
  });
});
