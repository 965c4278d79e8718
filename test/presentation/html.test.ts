import { expect, test } from '@jest/globals';
import { renderHtml } from '../../src/presentation/html/renderHtml.ts';
import type { Block } from '../../src/presentation/model.ts';
import { asBad, asFaint, asStrong } from '../../src/presentation/words.ts';

const html = (...blocks: Block[]) => renderHtml({ blocks }).replaceAll('\n', '');

test('renders headings, tables with footnotes, key-values, trees and timelines as HTML', () => {
  expect(
    html({
      type: 'section',
      title: { type: 'heading', parts: [asStrong('frankfurt fails'), asFaint('over 11m')] },
      blocks: [
        {
          type: 'table',
          columns: [{ name: 'OUTCOME' }, { name: 'NOTE' }],
          rows: [[asBad('lost'), { certainty: 'estimate', dependsOn: ['chance'] }]],
        },
        { type: 'keyValues', entries: [['ready', 'False']] },
      ],
    }),
  ).toBe(
    '<section><h3><span class="tone-strong">frankfurt fails</span> <small><span class="tone-faint">over 11m</span></small></h3>' +
      '<table><thead><tr><th>OUTCOME</th><th>NOTE</th></tr></thead><tbody>' +
      '<tr><td><span class="tone-bad">lost</span></td><td><span class="doubt">estimate [1]</span></td></tr></tbody></table>' +
      '<p class="tone-faint">[1] depends on chance</p>' +
      '<dl><dt>ready</dt><dd>False</dd></dl></section>',
  );
  expect(
    html(
      {
        type: 'tree',
        nodes: [{ mark: '✗', words: 'a', children: [{ words: { type: 'command', text: 'b' } }] }],
      },
      { type: 'timeline', steps: [{ when: 'T+1s', actor: 'scheduler', words: 'c', details: ['d'] }] },
    ),
  ).toBe(
    '<ul><li><span class="mark">✗</span> a<ul><li><pre><code>b</code></pre></li></ul></li></ul>' +
      '<ol><li><time>T+1s</time> <span class="actor">scheduler</span> c<br><small>d</small></li></ol>',
  );
});

test('a name has no line break at hyphens, and only a long name breaks at slashes', () => {
  const long = 'production-eu-west/deployment/recommendations-v2';
  const rows = [[asBad('data/sts/web-17')], [long], ['two words/1']];
  expect(html({ type: 'table', columns: [{ name: 'WORKLOAD' }], rows })).toContain(
    '<tr><td class="name"><span class="tone-bad">data/sts/web-17</span></td></tr>' +
      '<tr><td class="name">production-eu-west/<wbr>deployment/<wbr>recommendations-v2</td></tr>' +
      '<tr><td>two words/1</td></tr>',
  );
});

test('escapes external text, and masks its secrets', () => {
  const words = '<script>alert("1")</script> & \u202e https://user:hunter2@member1';
  expect(html({ type: 'paragraph', words })).toBe(
    '<p>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; \\u202e https://***@member1</p>',
  );
});

test('omits empty blocks', () => {
  expect(html({ type: 'table', columns: [{ name: 'A' }], rows: [] }, { type: 'section', blocks: [] })).toBe(
    '',
  );
});
