import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PolicyForm } from '../../../../src/analysis/taintPolicy/conversion/forms.ts';
import { convertFiles } from '../../../../src/useCases/taintPolicy/conversion/convertFiles.ts';
import { AnyWriter, policyWith, proposedSpec, shippedSpec, type Manner } from './writtenPolicies.ts';

async function converted(text: string, to: PolicyForm) {
  const answer = await convertFiles({ files: ['-'] }, to, [], () => [Buffer.from(text)]);
  expect(answer.invalid).toEqual([]);
  return { ...answer, text: answer.texts[0]!.after };
}

const forms = [
  ['shipped', proposedSpec],
  ['proposed', shippedSpec],
] as const;
const other = { shipped: 'proposed', proposed: 'shipped' } as const;
const RUNS = Number(process.env['RUNS'] ?? 100);

async function thereAndBack(text: string, to: PolicyForm): Promise<string> {
  const there = await converted(text, to);
  expect(there.text).not.toBe(text);
  const back = await converted(there.text, other[to]);
  expect(back.text).toBe(text);
  expect(back.policies.map(({ outcome }) => outcome)).toEqual(back.policies.map(() => 'restored'));
  return there.text;
}

/** Those in a text, in their order. */
function inOrder(comments: readonly string[], written: string): string[] {
  // the annotation repeats what was removed
  const text = written.replace(/\{\\?"from\\?":.*\]\]\}/, '');
  return comments
    .filter((comment) => text.includes(comment))
    .sort((a, b) => text.indexOf(a) - text.indexOf(b));
}

describe.each(forms)('a policy converted to the %s form and back has the same text', (to, spec) => {
  const policy = policyWith(spec);
  const written = (manner: Manner) =>
    fc.tuple(policy, fc.gen()).map(([object, g]) => {
      const writer = new AnyWriter(g, manner);
      return { text: writer.document(object), comments: writer.comments };
    });

  test('in any YAML style, with all comments in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        written({ comments: true, anchors: false, merges: false }),
        async ({ text, comments }) => {
          const there = await thereAndBack(text, to);
          expect(inOrder(comments, there)).toEqual(inOrder(comments, text));
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  test('with anchors, aliases and merge keys', async () => {
    await fc.assert(
      fc.asyncProperty(written({ comments: true, anchors: true, merges: true }), async ({ text }) => {
        await thereAndBack(text, to);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  test('among other documents, with any line endings and a byte order mark', async () => {
    const others = [
      'kind:   ConfigMap # x\napiVersion: v1\n',
      '# nothing\n',
      '{"kind": "A", "apiVersion":"v1"}\n',
    ];
    const plain = written({ comments: true, anchors: false, merges: false });
    const file = fc.record({
      documents: fc.array(
        fc.oneof(
          plain,
          fc.constantFrom(...others).map((text) => ({ text })),
        ),
        { maxLength: 3 },
      ),
      policy: plain,
      eol: fc.constantFrom('\n', '\r\n'),
      ends: fc.boolean(),
      bom: fc.constantFrom('', '\ufeff'),
    });
    await fc.assert(
      fc.asyncProperty(file, async ({ documents, policy: own, eol, ends, bom }) => {
        const texts = [...documents, own].map(({ text }) => text);
        const whole = texts.map((text, at) => (at === 0 ? text : `---\n${text}`)).join('');
        const text = bom + (ends ? whole : whole.trimEnd()).replaceAll('\n', eol);
        const there = await thereAndBack(text, to);
        for (const one of others)
          expect(there.split(one.replaceAll('\n', eol)).length).toBe(
            text.split(one.replaceAll('\n', eol)).length,
          );
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  test('as JSON, as a single object or in a List', async () => {
    const objects = fc.array(
      fc.oneof(policy, fc.constant({ apiVersion: 'v1', kind: 'Secret', data: { a: 'b' } })),
      {
        maxLength: 3,
      },
    );
    const indent = fc.constantFrom<(string | number | undefined)[]>(undefined, 0, 2, 4, '\t');
    await fc.assert(
      fc.asyncProperty(policy, objects, indent, async (own, rest, space) => {
        const object = rest.length === 0 ? own : { apiVersion: 'v1', kind: 'List', items: [...rest, own] };
        const text = JSON.stringify(object, null, space);
        const there = await thereAndBack(text, to);
        expect(JSON.parse(there)).toBeDefined();
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  test('as a YAML List with separately edited items', async () => {
    const items = fc.tuple(fc.array(policy, { minLength: 1, maxLength: 3 }), fc.gen()).map(([own, g]) => {
      const writer = new AnyWriter(g, { comments: true, anchors: true, merges: true });
      return writer.document({ apiVersion: 'v1', kind: 'List', items: own });
    });
    await fc.assert(
      fc.asyncProperty(items, async (text) => {
        await thereAndBack(text, to);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
