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
      ['text outside braces is printed unchanged', 'phase', { text: 'phase' }],
      ['a closing brace outside an action is text', 'a}b', { text: 'a}b' }],
      ['several actions are printed in order', '{.phase}-{.replicas}', { text: 'Running-3' }],
      [
        '$ and @ refer to the current object and are optional',
        '{$.phase}{@.phase}',
        { text: 'RunningRunning' },
      ],
      ['spaces in an action are ignored', '{ .phase }', { text: 'Running' }],
      ['quoted text is printed', '{"lit"}{\'lit\'}', { text: 'litlit' }],
      ['escapes of Go are decoded', '{"tab\\t\\u00e9\\x41\\101"}', { text: 'tab\téAA' }],
      ['an escaped quote is printed', "{'it\\'s'}", { text: "it's" }],
      ['escaped bytes become a character, an invalid byte U+FFFD', '{"\\xc3\\xa9\\xff"}', { text: 'é�' }],
      ['literals are printed', '{1}{-2}{1.5}{true}', { text: '1-21.5true' }],
      ['an unclosed action fails', '{.phase', { error: 'unclosed action' }],
      ['a line break inside an action fails', '{.phase\n}', { error: 'unclosed action' }],
      [
        'a brace inside an action fails',
        '{{.phase}}',
        { error: "unrecognized character in action: U+007B '{'" },
      ],
      [
        'a comma outside brackets fails',
        '{.phase,.replicas}',
        { error: "unrecognized character in action: U+002C ','" },
      ],
      [
        'a tab fails, and has no printable form',
        '{\t.phase}',
        { error: 'unrecognized character in action: U+0009' },
      ],
      ['an unclosed quote fails', '{"open}', { error: 'unterminated quoted string' }],
      ['an unknown escape fails', '{"\\q"}', { error: 'unquote string "\\q" error invalid syntax' }],
      [
        'an escaped quote of the other kind fails',
        "{'\\\"'}",
        { error: "unquote string '\\\"' error invalid syntax" },
      ],
      ['a number with two points fails', '{1.2.3}', { error: 'cannot parse number 1.2.3' }],
      ['an unknown word fails', '{phase}', { error: 'unrecognized identifier phase' }],
    ])('%s: %s', (_rule, template, expected) => {
      expect(render(template)).toEqual(expected);
    });
  });

  describe('fields', () => {
    test.each([
      ['dots select a nested member', '{.job.id}', { text: 'j1' }],
      ['brackets select a member', "{.job['id']}", { text: 'j1' }],
      ['brackets select several members', "{.job['id','path']}", { text: 'j1 s3://b/<p>' }],
      ['an escaped dot is part of the name', '{.labels.a\\.b/c}', { text: 'dotted' }],
      ['a dot in brackets separates names', "{.labels['a.b/c']}", { error: 'a is not found' }],
      ['an escaped dot in brackets is part of the name', "{.labels['a\\.b/c']}", { text: 'dotted' }],
      ['dashes and leading digits need no escape', '{.labels.x-y}{.labels.01}', { text: 'dashdigits' }],
      ['a missing member fails', '{.missing}', { error: 'missing is not found' }],
      ['a member may be null', '{.none}', { text: 'null' }],
      ['null has no members', '{.none.x}', { error: 'x is not found' }],
      ['a string has no members', '{.phase.x}', { error: 'x is not found' }],
      ['a member missing in every item fails', '{.list[*].x}', { error: 'x is not found' }],
      ['a space after the dot ends the name', '{. phase}', { error: ' is not found' }],
      ['double quotes in brackets fail', '{.job["id"]}', { error: 'invalid array index "id"' }],
    ])('%s: %s', (_rule, template, expected) => {
      expect(render(template)).toEqual(expected);
    });
  });

  describe('printing', () => {
    test.each([
      ['numbers print as float64', '{.replicas} {.big} {.ratio}', { text: '3 2e+07 0.5' }],
      ['a list prints as JSON, without exponents', '{.list}', { text: '[1,2,"3",null]' }],
      [
        'an object prints as JSON with HTML characters escaped',
        '{.job}',
        { text: '{"id":"j1","path":"s3://b/\\u003cp\\u003e"}' },
      ],
      ['a string prints without escapes', '{.job.path}', { text: 's3://b/<p>' }],
      [
        'true and null print as words, an empty string prints nothing',
        '{.ok}{.none}{.empty}',
        { text: 'truenull' },
      ],
      ['several values are separated by spaces', '{.list[*]}', { text: '1 2 3 null' }],
    ])('%s: %s', (_rule, template, expected) => {
      expect(render(template)).toEqual(expected);
    });
  });

  describe('indices and slices', () => {
    test.each([
      ['indices count from the start or the end', '{.list[0]}{.list[-1]}', { text: '1null' }],
      ['a slice excludes its end', '{.list[1:3]}', { text: '2 3' }],
      [
        'the bounds of a slice are optional',
        '{.list[1:]}{.list[:1]}{.list[:]}',
        { text: '2 3 null11 2 3 null' },
      ],
      ['a slice may have a step', '{.list[::2]}', { text: '1 3' }],
      ['a slice may have a negative start', '{.list[-2:]}', { text: '3 null' }],
      ['an empty slice selects nothing', '{.list[0:0]}', { text: '' }],
      ['several indices select several items', '{.list[0,-1]}', { text: '1 null' }],
      ['an empty index selects the first item', '{.list[]}', { text: '1' }],
      [
        'an index of an empty list fails',
        '{.matrix[*][0]}',
        { error: 'array index out of bounds: index 0, length 0' },
      ],
      ['an empty list stops a wildcard before later lists', '{.matrix[*][*]}', { text: '1 2' }],
      ['an index of null selects nothing', '{.none[0]}', { text: '' }],
      [
        'an index beyond the end fails',
        '{.list[4]}',
        { error: 'array index out of bounds: index 4, length 4' },
      ],
      [
        'an index before the start fails',
        '{.list[-5]}',
        { error: 'array index out of bounds: index -1, length 4' },
      ],
      [
        'a slice beyond the end fails',
        '{.list[0:9]}',
        { error: 'array index out of bounds: index 8, length 4' },
      ],
      [
        'a slice whose start is after its end fails',
        '{.list[3:1]}',
        { error: 'starting index 3 is greater than ending index 1' },
      ],
      [
        'a backward slice fails',
        '{.list[3:0:-1]}',
        { error: 'starting index 3 is greater than ending index 0' },
      ],
      ['a negative step fails', '{.list[0:2:-1]}', { error: 'step must be > 0' }],
      ['a step of zero fails', '{.list[0:2:0]}', { error: 'step must be > 0' }],
      ['an index that is not a number fails', '{.list[a]}', { error: 'invalid array index a' }],
      ['spaces around a single index fail', '{.list[ 0 ]}', { error: 'invalid array index  0 ' }],
      ['spaces around several indices are ignored', '{.list[ 0 , 1 ]}', { text: '1 2' }],
      ['an index without digits fails', '{.list[-]}', { error: 'array index - is not a number' }],
      [
        'an index beyond int64 fails',
        '{.list[99999999999999999999]}',
        { error: 'array index 99999999999999999999 is not a number' },
      ],
      ['an unclosed bracket fails', '{.list[0}', { error: 'unterminated array' }],
      ['an index of a string fails', '{.phase[0]}', { error: 'string is not array or slice' }],
      [
        'an index of an object fails',
        '{.job[0]}',
        { error: 'map[string]interface {} is not array or slice' },
      ],
    ])('%s: %s', (_rule, template, expected) => {
      expect(render(template)).toEqual(expected);
    });
  });

  describe('wildcards and recursive descent', () => {
    test.each([
      ['* selects all members, sorted by name', '{.labels.*}', { text: 'digits dotted dash' }],
      ['* selects the bytes of a string', '{.phase.*}', { text: '82 117 110 110 105 110 103' }],
      ['* selects nothing of a number', '{.replicas.*}', { text: '' }],
      [
        '.. selects lists and objects from the outside in, except empty lists',
        '{.matrix..}',
        { text: '[[1,2],[],[3]] [1,2] [3]' },
      ],
      ['.. selects members at any depth', '{..type}', { text: 'Ready Available' }],
      ['.. fails if no object has the member', '{..items}', { error: 'items is not found' }],
      [
        'two recursive descents in a row fail',
        '{.....type}',
        { error: 'invalid multiple recursive descent' },
      ],
    ])('%s: %s', (_rule, template, expected) => {
      expect(render(template)).toEqual(expected);
    });
  });

  describe('filters', () => {
    test.each([
      ['== compares for equality', '{.conditions[?(@.type=="Ready")].status}', { text: 'True' }],
      ['!= compares for inequality', "{.conditions[?(@.type!='Ready')].type}", { text: 'Available' }],
      ['>= compares strings by bytes', '{.conditions[?(@.type>="B")].type}', { text: 'Ready' }],
      ['> compares with a fraction', '{.conditions[?(@.count>2.1)].type}', { text: 'Available' }],
      [
        'an integer literal does not compare with a JSON number',
        '{.conditions[?(@.count>2)].type}',
        { error: 'incompatible types for comparison' },
      ],
      ['an existence filter matches null', '{.conditions[?(@.reason)].type}', { text: 'Available' }],
      ['an existence filter may match nothing', '{.conditions[?(@.missing)].type}', { text: '' }],
      ['a failing existence filter matches', '{.conditions[?(@.type[0])].type}', { text: 'Ready Available' }],
      ['a missing operand fails', '{.conditions[?(@.missing==1)].type}', { error: 'missing is not found' }],
      [
        'a number does not compare with a string',
        '{.list[?(@=="3")]}',
        { error: 'incompatible types for comparison' },
      ],
      [
        'a member missing in one item fails',
        '{.conditions[?(@.reason=="x")].type}',
        { error: 'reason is not found' },
      ],
      ['null does not compare', '{.nulls[?(@==1)]}', { error: 'invalid type for comparison' }],
      [
        'a filter of an object in a list fails',
        '{.conditions[0][?(@.type)]}',
        { error: 'map[count:2 status:True type:Ready] is not array or slice and cannot be filtered' },
      ],
      ['an object does not compare', '{.conditions[?(@==1)]}', { error: 'invalid type for comparison' }],
      [
        'an operand with several values fails',
        '{.conditions[?(@.*==1)]}',
        { error: 'can only compare one element at a time' },
      ],
      ['an unknown operator character is part of the name', '{.conditions[?(@.type~"R")]}', { text: '' }],
      [
        'an unknown operator fails',
        '{.conditions[?(@.type="Ready")]}',
        { error: 'unrecognized filter operator =' },
      ],
      [
        '&& between comparisons fails',
        '{.conditions[?(@.type=="Ready" && @.status=="True")]}',
        { error: "unrecognized character in action: U+0026 '&'" },
      ],
      ['a filter may contain a quoted parenthesis', '{.conditions[?(@.type=="a)b")].type}', { text: '' }],
      ['an unclosed filter fails', '{.conditions[?(@.type=="Ready"]}', { error: 'unterminated filter' }],
      ['an unclosed bracket fails', '{.conditions[?(@.type=="Ready")}', { error: 'unclosed array expect ]' }],
      [
        'a filter of an object fails',
        '{.job[?(@.id)]}',
        { error: 'map[id:j1 path:s3://b/<p>] is not array or slice and cannot be filtered' },
      ],
      [
        'a filter of null fails',
        '{.none[?(@.id)]}',
        { error: '<nil> is not array or slice and cannot be filtered' },
      ],
      ['a byte compares with an integer', '{.list[?(@.*==51)]}', { text: '3' }],
      [
        'a string does not compare with a boolean',
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
        'the body prints once for each value',
        '{range .conditions[*]}{.type}={.status},{end}',
        { text: 'Ready=True,Available=False,' },
      ],
      [
        'an action after the end prints once, from the root',
        '{range .conditions[*]}[{.type}]{end}{.phase}',
        { text: '[Ready][Available]Running' },
      ],
      ['ranges may be nested', '{range .matrix[*]}{range @[*]}<{@}>{end}|{end}', { text: '<1><2>||<3>|' }],
      ['null prints as <no value> in a range', '{range .list[*]}{@}{end}', { text: '123<no value>' }],
      [
        'a range over a missing member fails',
        '{range .labels.missing}{end}',
        { error: 'missing is not found' },
      ],
      ['a range over an empty list prints nothing', '{range .matrix[1][*]}x{end}.', { text: '.' }],
      [
        'a range over an empty list evaluates its body once',
        '{range .matrix[1][*]}{.x}{end}',
        { error: 'x is not found' },
      ],
      [
        'a range without an end evaluates its body on the root too',
        '{range .conditions[*]}{.type}',
        { error: 'type is not found' },
      ],
      ['an end without a range fails', '{end}', { error: 'not in range, nothing to end' }],
      ['a range over null prints <no value>', '{range .none}{@}{end}', { text: '<no value>' }],
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

    test('a template on which client-go panics fails with the message of the panic', () => {
      expect(render('{[0]}', null)).toEqual({ error: 'reflect: call of reflect.Value.Type on zero Value' });
      expect(render('{range @}{end}', null)).toEqual({
        error: 'reflect: call of reflect.Value.Interface on zero Value',
      });
    });
  });

  test('any template renders any data as text or fails with an error', () => {
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

  test('rendering leaves the data unchanged, and an escaped name selects its member', () => {
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
