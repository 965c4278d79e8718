import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJsonPath, renderJsonPath } from '../../../src/kubernetes/jsonpath/jsonpath.ts';

const status: unknown = JSON.parse(`{
  "phase": "Running", "replicas": 3, "big": 20000000, "ratio": 0.5, "ok": true, "none": null, "empty": "",
  "nulls": [null], "list": [1, 2, "3", null], "matrix": [[1, 2], [], [3]],
  "conditions": [
    {"type": "Ready", "status": "True", "count": 2},
    {"type": "Available", "status": "False", "count": 2.5, "reason": null}
  ],
  "labels": {"a.b/c": "dotted", "x-y": "dash", "01": "digits"},
  "job": {"id": "j1", "path": "s3://b/<p>"}
}`);

function render(template: string, data: unknown = status) {
  const parsed = parseJsonPath(template);
  return 'error' in parsed ? parsed : renderJsonPath(parsed.template, data);
}

// The expected results are client-go's (v0.35, which Karmada v1.18 uses).
describe("Kubernetes' JSONPath", () => {
  describe('text and actions', () => {
    test.each([
      ['text outside of braces is printed as it is', 'phase', { text: 'phase' }],
      ['a closing brace outside of an action is text', 'a}b', { text: 'a}b' }],
      ['several actions', '{.phase}-{.replicas}', { text: 'Running-3' }],
      [
        '$ and @ mean the current object and may be left out',
        '{$.phase}{@.phase}',
        { text: 'RunningRunning' },
      ],
      ['spaces in an action', '{ .phase }', { text: 'Running' }],
      ['quoted text', '{"lit"}{\'lit\'}', { text: 'litlit' }],
      ['escapes of Go', '{"tab\\t\\u00e9\\x41\\101"}', { text: 'tab\téAA' }],
      ['an escaped quote', "{'it\\'s'}", { text: "it's" }],
      ['bytes that make a character, and one that does not', '{"\\xc3\\xa9\\xff"}', { text: 'é�' }],
      ['literals', '{1}{-2}{1.5}{true}', { text: '1-21.5true' }],
      ['an action that is not closed', '{.phase', { error: 'unclosed action' }],
      ['a line ends an action', '{.phase\n}', { error: 'unclosed action' }],
      ['a brace in an action', '{{.phase}}', { error: "unrecognized character in action: U+007B '{'" }],
      [
        'a comma outside of brackets',
        '{.phase,.replicas}',
        { error: "unrecognized character in action: U+002C ','" },
      ],
      [
        'a tab, which has no printable form',
        '{\t.phase}',
        { error: 'unrecognized character in action: U+0009' },
      ],
      ['a quote that is not closed', '{"open}', { error: 'unterminated quoted string' }],
      ['an escape that Go does not know', '{"\\q"}', { error: 'unquote string "\\q" error invalid syntax' }],
      [
        'an escaped quote of the other sort',
        "{'\\\"'}",
        { error: "unquote string '\\\"' error invalid syntax" },
      ],
      ['a number with two points', '{1.2.3}', { error: 'cannot parse number 1.2.3' }],
      ['a word that means nothing', '{phase}', { error: 'unrecognized identifier phase' }],
    ])('%s: %s', (_rule, template, expected) => {
      expect(render(template)).toEqual(expected);
    });
  });

  describe('fields', () => {
    test.each([
      ['nested members', '{.job.id}', { text: 'j1' }],
      ['in brackets', "{.job['id']}", { text: 'j1' }],
      ['several at once', "{.job['id','path']}", { text: 'j1 s3://b/<p>' }],
      ['an escaped dot', '{.labels.a\\.b/c}', { text: 'dotted' }],
      ['a dot in brackets separates all the same', "{.labels['a.b/c']}", { error: 'a is not found' }],
      ['escaped it does not', "{.labels['a\\.b/c']}", { text: 'dotted' }],
      ['dashes and leading digits need no escape', '{.labels.x-y}{.labels.01}', { text: 'dashdigits' }],
      ['a member that is missing', '{.missing}', { error: 'missing is not found' }],
      ['null is there', '{.none}', { text: 'null' }],
      ['null has no members', '{.none.x}', { error: 'x is not found' }],
      ['a string has no members', '{.phase.x}', { error: 'x is not found' }],
      ['no element has it', '{.list[*].x}', { error: 'x is not found' }],
      ['a space ends the name before it starts', '{. phase}', { error: ' is not found' }],
      ['double quotes do not name members', '{.job["id"]}', { error: 'invalid array index "id"' }],
    ])('%s: %s', (_rule, template, expected) => {
      expect(render(template)).toEqual(expected);
    });
  });

  describe('printing', () => {
    test.each([
      ['numbers are float64', '{.replicas} {.big} {.ratio}', { text: '3 2e+07 0.5' }],
      [
        'a list is JSON, without the exponent that numbers have outside of it',
        '{.list}',
        { text: '[1,2,"3",null]' },
      ],
      [
        'an object is JSON that is safe in HTML',
        '{.job}',
        { text: '{"id":"j1","path":"s3://b/\\u003cp\\u003e"}' },
      ],
      ['a string is not', '{.job.path}', { text: 's3://b/<p>' }],
      ['true, null, and nothing for an empty string', '{.ok}{.none}{.empty}', { text: 'truenull' }],
      ['several values are separated by spaces', '{.list[*]}', { text: '1 2 3 null' }],
    ])('%s: %s', (_rule, template, expected) => {
      expect(render(template)).toEqual(expected);
    });
  });

  describe('indices and slices', () => {
    test.each([
      ['from the start and from the end', '{.list[0]}{.list[-1]}', { text: '1null' }],
      ['the end is excluded', '{.list[1:3]}', { text: '2 3' }],
      ['bounds left out', '{.list[1:]}{.list[:1]}{.list[:]}', { text: '2 3 null11 2 3 null' }],
      ['steps', '{.list[::2]}', { text: '1 3' }],
      ['negative start', '{.list[-2:]}', { text: '3 null' }],
      ['nothing asked, nothing selected', '{.list[0:0]}', { text: '' }],
      ['several indices', '{.list[0,-1]}', { text: '1 null' }],
      ['no index is the first', '{.list[]}', { text: '1' }],
      [
        'an empty list fails an index',
        '{.matrix[*][0]}',
        { error: 'array index out of bounds: index 0, length 0' },
      ],
      ['and stops a wildcard: lists after it are not reached', '{.matrix[*][*]}', { text: '1 2' }],
      ['null is passed over', '{.none[0]}', { text: '' }],
      ['past the end', '{.list[4]}', { error: 'array index out of bounds: index 4, length 4' }],
      ['before the start', '{.list[-5]}', { error: 'array index out of bounds: index -1, length 4' }],
      ['an end past the end', '{.list[0:9]}', { error: 'array index out of bounds: index 8, length 4' }],
      ['start after end', '{.list[3:1]}', { error: 'starting index 3 is greater than ending index 1' }],
      ['backwards', '{.list[3:0:-1]}', { error: 'starting index 3 is greater than ending index 0' }],
      ['a negative step', '{.list[0:2:-1]}', { error: 'step must be > 0' }],
      ['a step of zero', '{.list[0:2:0]}', { error: 'step must be > 0' }],
      ['not a number', '{.list[a]}', { error: 'invalid array index a' }],
      ['spaces', '{.list[ 0 ]}', { error: 'invalid array index  0 ' }],
      ['spaces around commas', '{.list[ 0 , 1 ]}', { text: '1 2' }],
      ['a sign alone', '{.list[-]}', { error: 'array index - is not a number' }],
      [
        'more than an int64',
        '{.list[99999999999999999999]}',
        { error: 'array index 99999999999999999999 is not a number' },
      ],
      ['not closed', '{.list[0}', { error: 'unterminated array' }],
      ['of a string', '{.phase[0]}', { error: 'string is not array or slice' }],
      ['of an object', '{.job[0]}', { error: 'map[string]interface {} is not array or slice' }],
    ])('%s: %s', (_rule, template, expected) => {
      expect(render(template)).toEqual(expected);
    });
  });

  describe('wildcards and recursive descent', () => {
    test.each([
      ['members, here sorted by name', '{.labels.*}', { text: 'digits dotted dash' }],
      ['the bytes of a string', '{.phase.*}', { text: '82 117 110 110 105 110 103' }],
      ['nothing of a number', '{.replicas.*}', { text: '' }],
      [
        'containers and strings that are not empty, from the outside in',
        '{.matrix..}',
        { text: '[[1,2],[],[3]] [1,2] [3]' },
      ],
      ['at any depth', '{..type}', { text: 'Ready Available' }],
      ['nowhere', '{..items}', { error: 'items is not found' }],
      ['twice in a row', '{.....type}', { error: 'invalid multiple recursive descent' }],
    ])('%s: %s', (_rule, template, expected) => {
      expect(render(template)).toEqual(expected);
    });
  });

  describe('filters', () => {
    test.each([
      ['equal', '{.conditions[?(@.type=="Ready")].status}', { text: 'True' }],
      ['not equal', "{.conditions[?(@.type!='Ready')].type}", { text: 'Available' }],
      ['strings by their bytes', '{.conditions[?(@.type>="B")].type}', { text: 'Ready' }],
      ['greater than a number with a point', '{.conditions[?(@.count>2.1)].type}', { text: 'Available' }],
      [
        'numbers of the status are not integers',
        '{.conditions[?(@.count>2)].type}',
        { error: 'incompatible types for comparison' },
      ],
      ['exists, null included', '{.conditions[?(@.reason)].type}', { text: 'Available' }],
      ['exists nowhere', '{.conditions[?(@.missing)].type}', { text: '' }],
      [
        'a failing test of existence counts as found',
        '{.conditions[?(@.type[0])].type}',
        { text: 'Ready Available' },
      ],
      ['a missing operand fails', '{.conditions[?(@.missing==1)].type}', { error: 'missing is not found' }],
      ['incompatible types', '{.list[?(@=="3")]}', { error: 'incompatible types for comparison' }],
      [
        'a missing member on the way',
        '{.conditions[?(@.reason=="x")].type}',
        { error: 'reason is not found' },
      ],
      ['null does not compare', '{.nulls[?(@==1)]}', { error: 'invalid type for comparison' }],
      [
        'a filter looks into each value, which has to be a list',
        '{.conditions[0][?(@.type)]}',
        { error: 'map[count:2 status:True type:Ready] is not array or slice and cannot be filtered' },
      ],
      ['nor do objects', '{.conditions[?(@==1)]}', { error: 'invalid type for comparison' }],
      ['several operands', '{.conditions[?(@.*==1)]}', { error: 'can only compare one element at a time' }],
      ['another character is part of the name', '{.conditions[?(@.type~"R")]}', { text: '' }],
      [
        'an operator that is none',
        '{.conditions[?(@.type="Ready")]}',
        { error: 'unrecognized filter operator =' },
      ],
      [
        'no and',
        '{.conditions[?(@.type=="Ready" && @.status=="True")]}',
        { error: "unrecognized character in action: U+0026 '&'" },
      ],
      ['a parenthesis in quotes', '{.conditions[?(@.type=="a)b")].type}', { text: '' }],
      ['not closed', '{.conditions[?(@.type=="Ready"]}', { error: 'unterminated filter' }],
      ['bracket not closed', '{.conditions[?(@.type=="Ready")}', { error: 'unclosed array expect ]' }],
      [
        'of an object',
        '{.job[?(@.id)]}',
        { error: 'map[id:j1 path:s3://b/<p>] is not array or slice and cannot be filtered' },
      ],
      ['of null', '{.none[?(@.id)]}', { error: '<nil> is not array or slice and cannot be filtered' }],
      ['a byte compares with an integer', '{.list[?(@.*==51)]}', { text: '3' }],
      [
        'a string with a boolean',
        '{.conditions[?(@.status<true)]}',
        { error: 'incompatible types for comparison' },
      ],
      ['booleans have no order', '{.conditions[?(true<true)]}', { error: 'invalid type for comparison' }],
    ])('%s: %s', (_rule, template, expected) => {
      expect(render(template)).toEqual(expected);
    });
  });

  describe('ranges', () => {
    test.each([
      [
        'once for each value',
        '{range .conditions[*]}{.type}={.status},{end}',
        { text: 'Ready=True,Available=False,' },
      ],
      [
        'what follows the end runs once, on the root',
        '{range .conditions[*]}[{.type}]{end}{.phase}',
        { text: '[Ready][Available]Running' },
      ],
      ['nested', '{range .matrix[*]}{range @[*]}<{@}>{end}|{end}', { text: '<1><2>||<3>|' }],
      ['null has no value in a range', '{range .list[*]}{@}{end}', { text: '123<no value>' }],
      ['over what is missing', '{range .labels.missing}{end}', { error: 'missing is not found' }],
      ['over nothing', '{range .matrix[1][*]}x{end}.', { text: '.' }],
      [
        'over nothing the body still runs, on nothing',
        '{range .matrix[1][*]}{.x}{end}',
        { error: 'x is not found' },
      ],
      [
        'without end the rest runs on the root too',
        '{range .conditions[*]}{.type}',
        { error: 'type is not found' },
      ],
      ['end without range', '{end}', { error: 'not in range, nothing to end' }],
      ['over null', '{range .none}{@}{end}', { text: '<no value>' }],
    ])('%s: %s', (_rule, template, expected) => {
      expect(render(template)).toEqual(expected);
    });
  });

  describe('a root that is not an object', () => {
    test.each([
      ['{}', 5, { text: '5' }],
      ['{@[1]}', [1, 'x'], { text: 'x' }],
      ['{[?(@>"a")]}', ['a', 'b'], { text: 'b' }],
      ['{}', null, { text: '<no value>' }],
      ['{.a}', null, { error: 'a is not found' }],
      ['{.*}', null, { text: '' }],
      ['{[?(@)]}', null, { error: '<invalid reflect.Value> is not array or slice and cannot be filtered' }],
    ])('%s of %j', (template, data, expected) => {
      expect(render(template, data)).toEqual(expected);
    });

    test('where client-go panics on null, the panic is the error', () => {
      expect(render('{[0]}', null)).toEqual({ error: 'reflect: call of reflect.Value.Type on zero Value' });
      expect(render('{range @}{end}', null)).toEqual({
        error: 'reflect: call of reflect.Value.Interface on zero Value',
      });
    });
  });

  test('whatever the template and the data, there is a text or an error', () => {
    const noise = fc.string({
      unit: fc.constantFrom(...'{}[]().,*@$\'"\\:?<>=!-+ 01ab\nrange end'.split('')),
    });
    fc.assert(
      fc.property(noise, fc.jsonValue(), (template, data) => {
        const rendered = render(template, data);
        expect(Object.values(rendered)).toEqual([expect.any(String)]);
      }),
      { numRuns: 2000 },
    );
  });

  test('data is not changed, and member names of every kind select their member', () => {
    const data = fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer(), { minKeys: 1 });
    fc.assert(
      fc.property(data, (object) => {
        const before = JSON.stringify(object);
        for (const [name, value] of Object.entries(object)) {
          if (/[\\\s]/.test(name) || name === '*') continue;
          const escaped = name.replaceAll(/[.,[\]$@{}]/g, '\\$&');
          if (Math.abs(value) < 1e6) expect(render(`{.${escaped}}`, object)).toEqual({ text: String(value) });
        }
        expect(JSON.stringify(object)).toBe(before);
      }),
    );
  });
});
