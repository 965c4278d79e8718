import type {
  Bars,
  Block,
  Command,
  Heading,
  Presentation,
  Section,
  Table,
  TreeNode,
  Words,
} from '../model.ts';
import { createFootnotes, noFootnotes, type Footnotes } from '../footnotes.ts';
import { presentable } from '../presentable.ts';
import { isEmpty, isList, plain } from '../words.ts';

/**
 * A presentation as an HTML fragment: elements with classes, but no script, no style, and nothing to load. Foreign text is escaped, and its
 * invisible characters are made visible.
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
    case 'bars':
      return barsHtml(block);
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
  // a column without any text is left out
  const shown = columns.map((_, at) => rows.some((row) => !isEmpty(row[at]!)));
  const names = columns.filter((_, at) => shown[at]).map(({ name }) => `<th>${escaped(name)}</th>`);
  const head = `<thead><tr>${names.join('')}</tr></thead>`;
  const body = rows.map((row) => {
    const cells = row.filter((_, at) => shown[at]).map((cell) => cellHtml(cell, footnotes));
    return `<tr>${cells.join('')}</tr>`;
  });
  const notes = footnotes
    .all()
    .map(([mark, text]) => `<p class="tone-faint">${escaped(`${mark} ${text}`)}</p>`);
  return [element('table', [head, '<tbody>', ...body, '</tbody>']), ...notes].join('\n');
}

/** The longest name that takes one line of a table, in characters. */
const LONGEST_NAME = 32;

/** A cell; a name, which has no spaces, never breaks at a hyphen, and after a slash only if it is long. */
function cellHtml(cell: Words, footnotes: Footnotes): string {
  const inner = html(cell, footnotes);
  const text = plain(cell);
  if (!/^\S*\/\S*$/.test(text)) return `<td>${inner}</td>`;
  return `<td class="name">${text.length > LONGEST_NAME ? inner.replace(/\/(?![^<]*>)/g, '/<wbr>') : inner}</td>`;
}

/** Each line as an SVG that scales with the page; its segments have names for pointers and screen readers. */
function barsHtml({ from, to, ticks, lines, legend }: Bars): string {
  const share = (at: number) => `${(((at - from) / Math.max(to - from, 1e-9)) * 100).toFixed(2)}`;
  const drawn = lines.map((line) => {
    const shapes =
      'stretches' in line
        ? line.stretches.map(
            (one) =>
              `<rect class="bar-${one.tone ?? 'plain'}" x="${share(one.from)}" width="${share(from + one.to - one.from)}" y="0" height="10"><title>${escaped(one.words)}</title></rect>`,
          )
        : line.levels.map(({ from: at, value }, i, all) => {
            const height = (value / Math.max(line.highest, 1)) * 10;
            const width = share(from + (all[i + 1]?.from ?? to) - at);
            return `<rect class="level" x="${share(at)}" width="${width}" y="${(10 - height).toFixed(2)}" height="${height.toFixed(2)}"><title>${escaped(String(value))}</title></rect>`;
          });
    const note = line.note === undefined ? '' : html(line.note);
    return `<tr><th scope="row">${html(line.label)}</th><td><svg viewBox="0 0 100 10" preserveAspectRatio="none" width="100%" height="1em">${shapes.join('')}</svg></td><td>${note}</td></tr>`;
  });
  const scale = ticks.map(({ text }) => escaped(text)).join(' · ');
  const meanings = legend.map(
    ({ mark, tone = 'plain', text }) => `<span class="bar-${tone}">${escaped(mark)}</span> ${escaped(text)}`,
  );
  return [
    element('table', drawn),
    `<p class="tone-faint">${scale}</p>`,
    `<p>${meanings.join(', ')}</p>`,
  ].join('\n');
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

/** Foreign text escaped for HTML or XML, even inside a quoted attribute; secrets are hidden, control characters visible. */
export function escaped(text: string): string {
  return presentable(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
