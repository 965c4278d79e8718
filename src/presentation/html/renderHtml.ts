import type { Block, Command, Heading, Presentation, Section, Table, TreeNode, Words } from '../model.ts';
import { createFootnotes, noFootnotes, type Footnotes } from '../footnotes.ts';
import { presentable } from '../presentable.ts';
import { isEmpty, isList } from '../words.ts';

/**
 * A presentation as a fragment of HTML: elements with classes, but no script, no style, and nothing to load. Text from outside is escaped,
 * and its invisible characters are made visible.
 */
export function renderHtml({ blocks }: Presentation): string {
  return blocks
    .map(blockHtml)
    .filter((html) => html !== '')
    .join('\n');
}

function blockHtml(block: Block): string {
  switch (block.type) {
    case 'heading':
      return `<h2>${headingHtml(block)}</h2>`;
    case 'paragraph':
      return `<p>${html(block.words)}</p>`;
    case 'oneLine':
      return `<p>${html(block.wordings[0] ?? '')}</p>`;
    case 'command':
      return commandHtml(block);
    case 'section':
      return sectionHtml(block);
    case 'keyValues':
      return list(
        'dl',
        block.entries.map(([name, value]) => `<dt>${html(name)}</dt><dd>${html(value)}</dd>`),
      );
    case 'rows':
      return element(
        'table',
        block.rows.map((row) => `<tr>${row.map((cell) => `<td>${html(cell)}</td>`).join('')}</tr>`),
      );
    case 'tree':
      return treeHtml(block.nodes);
    case 'timeline':
      return list(
        'ol',
        block.steps.map(({ when, actor, words, details = [] }) => {
          const more = details.map((one) => `<br><small>${html(one)}</small>`).join('');
          return `<li><time>${escaped(when)}</time> <span class="actor">${escaped(actor)}</span> ${html(words)}${more}</li>`;
        }),
      );
    case 'table':
      return tableHtml(block);
  }
}

function headingHtml({ parts }: Heading): string {
  const [first = '', ...others] = parts.filter((part) => !isEmpty(part));
  return `${html(first)}${others.map((part) => ` <small>${html(part)}</small>`).join('')}`;
}

function sectionHtml({ title, blocks }: Section): string {
  const inner = blocks
    .map(blockHtml)
    .filter((one) => one !== '')
    .join('\n');
  if (title === undefined) return inner === '' ? '' : element('section', [inner]);
  const words = typeof title === 'object' && 'type' in title ? headingHtml(title) : html(title);
  return element('section', [`<h3>${words}</h3>`, inner]);
}

function tableHtml({ columns, rows }: Table): string {
  if (rows.length === 0) return '';
  const footnotes = createFootnotes();
  const head = `<thead><tr>${columns.map(({ name }) => `<th>${escaped(name)}</th>`).join('')}</tr></thead>`;
  const body = rows.map(
    (row) => `<tr>${row.map((cell) => `<td>${html(cell, footnotes)}</td>`).join('')}</tr>`,
  );
  const notes = footnotes
    .all()
    .map(([mark, text]) => `<p class="tone-faint">${escaped(`${mark} ${text}`)}</p>`);
  return [element('table', [head, '<tbody>', ...body, '</tbody>']), ...notes].join('\n');
}

function treeHtml(nodes: readonly TreeNode[]): string {
  return list(
    'ul',
    nodes.map(({ mark, words, children = [] }) => {
      const marked = mark === undefined ? '' : `<span class="mark">${html(mark)}</span> `;
      const own = typeof words === 'object' && 'type' in words ? commandHtml(words) : html(words);
      return `<li>${marked}${own}${children.length === 0 ? '' : treeHtml(children)}</li>`;
    }),
  );
}

const commandHtml = ({ text }: Command) => `<pre><code>${escaped(text)}</code></pre>`;

const list = (name: 'dl' | 'ol' | 'ul', items: string[]) => element(name, items);

function element(name: string, content: string[]): string {
  return `<${name}>\n${content.join('\n')}\n</${name}>`;
}

function html(words: Words, footnotes: Footnotes = noFootnotes): string {
  if (typeof words === 'string') return escaped(words);
  if (isList(words)) return words.map((one) => html(one, footnotes)).join('');
  if ('tone' in words) return `<span class="tone-${words.tone}">${html(words.words, footnotes)}</span>`;
  return `<span class="doubt">${escaped(footnotes.mark(words))}</span>`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return presentable(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
