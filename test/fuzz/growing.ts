/** A text that grows with a number: a reader's work must not grow faster. */
export interface Growing {
  name: string;
  text: (size: number) => string;
}

const lines = (size: number, line: (at: number) => string) =>
  Array.from({ length: size }, (_, at) => line(at)).join('\n');
const joined = (size: number, item: (at: number) => string) =>
  Array.from({ length: size }, (_, at) => item(at)).join(',');

/** YAML of all kinds, after a head that makes it an object. */
export const growingYaml: readonly Growing[] = [
  { name: 'many names', text: (n) => lines(n, (at) => `  k${at}: v`) },
  { name: 'a plain text in many lines', text: (n) => `  a: x\n${'    y\n'.repeat(n)}` },
  { name: 'a plain text with empty lines', text: (n) => `  a: x\n${'\n'.repeat(n)}    y` },
  { name: 'blanks within a quoted text', text: (n) => `  a: "x${' '.repeat(10 * n)}y\n    z"` },
  { name: 'blanks within a single-quoted text', text: (n) => `  a: 'x${' '.repeat(10 * n)}y\n    z'` },
  { name: 'escapes in one long line', text: (n) => `  a: "${'\\" '.repeat(n)}"` },
  { name: 'single quotes in one long line', text: (n) => `  a: '${"''".repeat(n)}'` },
  { name: 'a quote that never ends', text: (n) => `  a: "${'x\n    '.repeat(n)}` },
  { name: 'many quotes that never end', text: (n) => lines(n, () => '  a: "') },
  { name: 'a literal text', text: (n) => `  a: |\n${'    x\n'.repeat(n)}` },
  { name: 'empty lines behind a literal text', text: (n) => `  a: |-\n    x\n${'\n'.repeat(n)}` },
  { name: 'a folded text', text: (n) => `  a: >\n${'    x\n'.repeat(n)}` },
  { name: 'comments', text: (n) => `  a: x\n${'  # c\n'.repeat(n)}  b: y` },
  { name: 'comments between a name and its value', text: (n) => `  a:\n${'  # c\n'.repeat(n)}    b: y` },
  { name: 'a list of lists', text: (n) => lines(n, () => '  - - a') },
  { name: 'lists in one line', text: (n) => `  a: ${'- '.repeat(n)}x` },
  { name: 'nesting', text: (n) => `  a: ${'['.repeat(n)}${']'.repeat(n)}` },
  { name: 'nesting in blocks', text: (n) => lines(Math.min(n, 1000), (at) => `${' '.repeat(at + 2)}a:`) },
  { name: 'a flow list', text: (n) => `  a: [${joined(n, String)}]` },
  { name: 'a flow object', text: (n) => `  a: {${joined(n, (at) => `k${at}: v`)}}` },
  { name: 'anchors', text: (n) => lines(n, (at) => `  k${at}: &a${at} v`) },
  { name: 'aliases to one anchor', text: (n) => `  a: &a v\n${lines(n, (at) => `  k${at}: *a`)}` },
  { name: 'aliases to an object', text: (n) => `  a: &a {x: [1, 2]}\n${lines(n, (at) => `  k${at}: *a`)}` },
  {
    name: 'aliases that multiply',
    text: (n) => `  a0: &a0 [x]\n${lines(n, (at) => `  a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`)}`,
  },
  { name: 'merges', text: (n) => `  a: &a {x: 1}\n${lines(n, (at) => `  k${at}: {<<: *a, y: 2}`)}` },
  { name: 'a merge of many', text: (n) => `  a: &a {x: 1}\n  b:\n    <<: [${joined(n, () => '*a')}]` },
  { name: 'names twice', text: (n) => lines(n, () => '  a: 1') },
  {
    name: 'names of all objects',
    text: (n) => lines(n, (at) => (at % 2 ? '  __proto__: 1' : '  constructor: 2')),
  },
  { name: 'a number of many digits', text: (n) => `  a: ${'9'.repeat(10 * n)}` },
  { name: 'a binary number of many digits', text: (n) => `  a: 0b${'1'.repeat(10 * n)}` },
  { name: 'a number with underscores', text: (n) => `  a: 1${'_1'.repeat(n)}` },
  { name: 'tags', text: (n) => `  a: ${'!x '.repeat(n)}y` },
  { name: 'question marks', text: (n) => lines(n, () => '  ? a') },
  { name: 'documents', text: (n) => lines(n, () => '---\n# nothing') },
  { name: 'documents that end', text: (n) => lines(n, () => '...') },
  { name: 'directives', text: (n) => `...\n${lines(n, (at) => `%TAG !a${at}! tag:x,2000:`)}\n---\n` },
  { name: 'carriage returns', text: (n) => `  a: ${'x\r'.repeat(n)}` },
  { name: 'tabs', text: (n) => `  a: x\n${'\t'.repeat(n)}y` },
];

/** The value of `"spec": ` in a JSON object. */
export const growingJson: readonly Growing[] = [
  { name: 'many names', text: (n) => `{${joined(n, (at) => `"k${at}": "v"`)}}` },
  { name: 'a long text', text: (n) => `"${'x'.repeat(20 * n)}"` },
  { name: 'escapes', text: (n) => `"${'\\"\\\\'.repeat(n)}"` },
  { name: 'a list', text: (n) => `[${joined(n, String)}]` },
  { name: 'nesting', text: (n) => `${'[{"a":'.repeat(n)}1${'}]'.repeat(n)}` },
  { name: 'blanks', text: (n) => `[1,${' \n'.repeat(10 * n)}2]` },
  { name: 'a text that never ends', text: (n) => `"${'x\\\\'.repeat(n)}` },
  { name: 'a list that never ends', text: (n) => `[${'1,'.repeat(n)}` },
  { name: 'names twice', text: (n) => `{${joined(n, () => '"a": 1')}}` },
  { name: 'names of all objects', text: (n) => `{${joined(n, () => '"__proto__": {"constructor": null}')}}` },
];
