import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JsonPlaces } from '../../../src/state/json/jsonPlaces.ts';

const TEXT = '{ "a": 1, "b": [ {"c": "x\\"]"}, [2, 3] ],\n  "a": {"d\\"": null}, "__proto__": {"e": 4} }';

/** The text at the place of a field, up to the next comma. */
const at = (places: JsonPlaces, ...path: (string | number)[]) =>
  TEXT.slice(places.offsetOf(path)).split(/[,\n]/)[0];

describe('the place of a JSON field', () => {
  test.each<[(string | number)[], string]>([
    [[], '{ "a": 1'],
    [['b'], '"b": [ {"c": "x\\"]"}'],
    [['b', 0], '{"c": "x\\"]"}'],
    [['b', 0, 'c'], '"c": "x\\"]"}'],
    [['b', 1, 1], '3] ]'],
    // the last duplicate name counts
    [['a', 'd"'], '"d\\"": null}'],
    [['__proto__', 'e'], '"e": 4} }'],
    // a missing field is where it would be
    [['c'], '{ "a": 1'],
    [['b', 2], '"b": [ {"c": "x\\"]"}'],
    [['b', 'length'], '"b": [ {"c": "x\\"]"}'],
    [['b', 0, 'c', 'e'], '"c": "x\\"]"}'],
    [['constructor'], '{ "a": 1'],
  ])('is found for the path %j', (path, text) => {
    expect(at(new JsonPlaces(TEXT), ...path)).toBe(text);
  });

  test('does not depend on earlier searches', () => {
    const places = new JsonPlaces(TEXT);
    for (const path of [
      ['b', 1, 1],
      ['b', 0, 'c'],
      ['a', 'd"'],
      ['b', 1, 0],
    ])
      expect(places.offsetOf(path)).toBe(new JsonPlaces(TEXT).offsetOf(path));
  });

  test('is found for each field of any document', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        const places = new JsonPlaces(text);
        const colon = indent === undefined ? ':' : ': ';
        const holds = (value: unknown, path: (string | number)[]): void => {
          const shown = JSON.stringify(value, null, indent).split('\n')[0]!;
          const step = path.at(-1);
          const there = typeof step === 'string' ? `${JSON.stringify(step)}${colon}${shown}` : shown;
          const offset = places.offsetOf(path);
          expect(text.slice(offset, offset + there.length)).toBe(there);
          if (typeof value !== 'object' || value === null) return;
          for (const [key, inner] of Object.entries(value))
            holds(inner, [...path, Array.isArray(value) ? Number(key) : key]);
        };
        holds(JSON.parse(text), []);
      }),
    );
  });
});
