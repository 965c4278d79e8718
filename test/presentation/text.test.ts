import { describe, expect, test } from '@jest/globals';
import type { Block, Table } from '../../src/presentation/model.ts';
import { displayWidth } from '../../src/presentation/text/displayWidth.ts';
import { renderText } from '../../src/presentation/text/renderText.ts';
import { colourStyle, plainStyle } from '../../src/presentation/text/style.ts';
import { hasUnseen } from '../../src/presentation/visible.ts';
import { asBad, asFaint, asStrong } from '../../src/presentation/words.ts';

const text = (blocks: Block[], options: { width?: number; wide?: boolean; noHeaders?: boolean } = {}) =>
  renderText({ blocks }, { style: plainStyle, ...options });
const lines = (...all: string[]) => all.join('\n');

const workloads: Table = {
  type: 'table',
  columns: [
    { name: 'NAMESPACE' },
    { name: 'WORKLOAD' },
    { name: 'MODE' },
    { name: 'TO', wraps: 14 },
    { name: 'VERDICT', wraps: 24 },
  ],
  rows: [
    ['shop', 'Deployment/checkout', 'Gracefully', 'dublin×2, oregon×2', 'waits for dublin to be Healthy'],
    ['data', 'StatefulSet/ledger', 'Directly', '', [asBad('stuck'), ', waits for a cluster to move to']],
  ],
  narrowing: [{ fold: { VERDICT: '' } }, { drop: ['MODE'] }, { cut: 'WORKLOAD', to: 10 }],
};

describe('a table', () => {
  test('shows hidden characters in column names at any width', () => {
    const columns = [{ name: 'A' }, { name: '\x1b[31M\u202e' }];
    const hostile: Table = { type: 'table', columns, rows: [['one', 'two']] };
    for (const width of [undefined, 80, 14]) {
      const shown = text([hostile], width === undefined ? {} : { width });
      expect(shown).toContain('^[[31M');
      expect(hasUnseen(shown)).toBe(false);
    }
  });

  test('separates aligned columns by three spaces, and shows a dash for an empty cell', () => {
    expect(text([workloads])).toBe(
      lines(
        'NAMESPACE   WORKLOAD              MODE         TO                   VERDICT',
        'shop        Deployment/checkout   Gracefully   dublin×2, oregon×2   waits for dublin to be Healthy',
        'data        StatefulSet/ledger    Directly     -                    stuck, waits for a cluster to move to',
      ),
    );
  });

  test('first wraps its wrappable columns, if it is too wide', () => {
    expect(text([workloads], { width: 90 })).toBe(
      lines(
        'NAMESPACE   WORKLOAD              MODE         TO                VERDICT',
        'shop        Deployment/checkout   Gracefully   dublin×2,         waits for dublin to be',
        '                                               oregon×2          Healthy',
        'data        StatefulSet/ledger    Directly     -                 stuck, waits for a',
        '                                                                 cluster to move to',
      ),
    );
  });

  test('then applies the narrowing steps of its view in order', () => {
    expect(text([workloads], { width: 72 })).toBe(
      lines(
        'NAMESPACE   WORKLOAD              MODE         TO',
        'shop        Deployment/checkout   Gracefully   dublin×2, oregon×2',
        '    waits for dublin to be Healthy',
        'data        StatefulSet/ledger    Directly     -',
        '    stuck, waits for a cluster to move to',
      ),
    );
    expect(text([workloads], { width: 50 })).toBe(
      lines(
        'NAMESPACE  WORKLOAD             TO',
        'shop       Deployment/checkout  dublin×2, oregon×2',
        '    waits for dublin to be Healthy',
        'data       StatefulSet/ledger   -',
        '    stuck, waits for a cluster to move to',
        'Hidden: MODE (-o wide shows all)',
      ),
    );
    expect(text([workloads], { width: 40 })).toContain('shop        Deplo…ckout');
  });

  test('prints one field per line if no grid fits, or if cells may not be truncated', () => {
    const whole = text([workloads], { width: 50, wide: true }).split('\n\n');
    expect(whole[0]).toBe(
      lines(
        'NAMESPACE   shop',
        'WORKLOAD    Deployment/checkout',
        'MODE        Gracefully',
        'TO          dublin×2, oregon×2',
        'VERDICT     waits for dublin to be Healthy',
      ),
    );
    expect(text([workloads], { width: 20 }).split('\n\n')).toHaveLength(2);
  });

  test('prints each of its footnotes once', () => {
    const doubt = { certainty: 'estimate', dependsOn: ['the order of evictions', 'chance'] };
    const table: Table = {
      type: 'table',
      columns: [{ name: 'A' }, { name: 'NOTE' }],
      rows: [
        ['1', doubt],
        ['2', { certainty: 'estimate', dependsOn: ['chance'] }],
      ],
    };
    expect(text([table])).toBe(
      lines(
        'A   NOTE',
        '1   estimate [1][2]',
        '2   estimate [2]',
        '[1] depends on the order of evictions',
        '[2] depends on chance',
      ),
    );
    expect(text([table], { noHeaders: true })).toBe('1   estimate [1][2]\n2   estimate [2]');
  });

  test('aligns by display width: tones have none, wide characters two columns, combining marks none', () => {
    const table = (cells: string[]): Table => ({
      type: 'table',
      columns: [{ name: 'A' }, { name: 'B' }],
      rows: cells.map((cell) => [cell, 'x']),
    });
    expect(text([table(['漢字', 'e\u0301te', '\u001b[2J'])])).toBe(
      lines('A       B', '漢字    x', 'e\u0301te     x', '^[[2J   x'),
    );
    const coloured = renderText(
      { blocks: [{ ...table([]), rows: [[asBad('lost'), 'x']] }] },
      { style: colourStyle },
    );
    expect(coloured).toBe('A      B\n\u001b[31mlost\u001b[39m   x');
  });
});

describe('text blocks', () => {
  test('wrap at words, and long words after punctuation', () => {
    const words = 'gets taint cluster.karmada.io/not-ready:NoSchedule';
    expect(text([{ type: 'paragraph', words }], { width: 30 })).toBe(
      lines('gets taint cluster.karmada.io/', 'not-ready:NoSchedule'),
    );
    expect(text([{ type: 'paragraph', words }])).toBe(words);
  });

  test('place the parts of a heading side by side, or below each other on a narrow screen', () => {
    const heading: Block = {
      type: 'heading',
      parts: [asStrong('frankfurt fails'), asFaint('simulated over 11m32s')],
    };
    expect(text([heading])).toBe('frankfurt fails   simulated over 11m32s');
    expect(text([heading], { width: 30 })).toBe('frankfurt fails\n  simulated over 11m32s');
  });

  test('of a single line use the longest wording that fits', () => {
    const wordings = [
      'Assumed: now=2026, readyAfter=30s',
      'Assumed: now=2026 and 1 more',
      'Assumed: 2 values',
    ];
    const block: Block = { type: 'oneLine', wordings };
    expect(text([block])).toBe(wordings[0]);
    expect(text([block], { width: 30 })).toBe(wordings[1]);
    expect(text([block], { width: 10 })).toBe('Assumed: …');
  });

  test('indent the contents of a section, and align values beside their names', () => {
    const section: Block = {
      type: 'section',
      title: 'Cluster frankfurt',
      blocks: [
        {
          type: 'keyValues',
          entries: [
            ['ready', 'False, since 1m ago'],
            ['taints', 'cluster.karmada.io/not-ready by Karmada itself'],
            ['', 'maintenance by an operator'],
          ],
        },
      ],
    };
    expect(text([section, { type: 'paragraph', words: 'End.' }], { width: 40 })).toBe(
      lines(
        'Cluster frankfurt',
        '  ready    False, since 1m ago',
        '  taints   cluster.karmada.io/not-ready',
        '           by Karmada itself',
        '           maintenance by an operator',
        '',
        'End.',
      ),
    );
  });

  test('print details below each step of a timeline', () => {
    const timeline: Block = {
      type: 'timeline',
      steps: [
        { when: 'T+0s', actor: 'scenario', words: 'frankfurt fails' },
        { when: 'T+35s', actor: 'taint-manager', words: 'evicted', details: ['not tolerated'] },
      ],
    };
    expect(text([timeline])).toBe(
      lines(
        'T+0s    scenario        frankfurt fails',
        'T+35s   taint-manager   evicted',
        '                          not tolerated',
      ),
    );
  });

  test('indent the children of a tree node, and keep a command on one line', () => {
    const tree: Block = {
      type: 'tree',
      nodes: [
        {
          mark: '✗',
          words: 'the taint is tolerated for ever',
          children: [{ words: { type: 'command', text: 'kubectl patch propagationpolicy cart' } }],
        },
      ],
    };
    expect(text([tree], { width: 20 })).toBe(
      lines('✗ the taint is', '  tolerated for ever', '    kubectl patch propagationpolicy cart'),
    );
  });
});

test('display width counts columns as terminals do', () => {
  expect(['abc', 'dublin×2 → …', '漢字', 'e\u0301', '한글', 'ｱ', '✓'].map(displayWidth)).toEqual([
    3, 12, 4, 1, 4, 1, 1,
  ]);
});
