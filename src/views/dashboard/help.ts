import type { Block } from '../../presentation/model.ts';
import { asStrong } from '../../presentation/words.ts';
import {
  columnsText,
  FILTER_KEY,
  keyBlocks,
  MOVE_KEYS,
  SCREEN_KEYS,
  type KeyGroup,
} from '../screen/keyHelp.ts';
import { VIEW_DESCRIPTIONS } from './place.ts';

/** The keys of a page. */
export interface KeysHere {
  /** Enter opens something, or asks whether to carry out a plan */
  opens: boolean;
  /** it shows steps in time, which can be played */
  replays: boolean;
  /** the column names of a list */
  columns?: readonly string[] | undefined;
  namespaces: boolean;
  evidence: boolean;
  /** there is an object behind the selected item */
  object: boolean;
  /** a cluster is selected; it has a region */
  cluster: boolean;
  region: boolean;
  /** a policy is selected, or a workload, which has one */
  policy: boolean;
  marks: boolean;
  recorded: boolean;
  /** there are actions for the selected item */
  acts: boolean;
  /** the keys of available actions: "D" */
  actions: readonly string[];
  /** an action is running on this page */
  stops: boolean;
  /** there is an equivalent command */
  command: boolean;
}

type Entry = readonly [key: string, about: string, isHere?: (here: KeysHere) => boolean];

/** Every key with its description, and the pages where it works; without that, all pages. */
const KEYS: readonly (readonly [title: string, keys: readonly Entry[]])[] = [
  MOVE_KEYS,
  [
    'Go',
    [
      [
        'Enter →',
        'open: cluster, its workloads, the explanation, its evidence, the object at the field',
        (here) => here.opens,
      ],
      ['Esc ←', 'back, or clear a filter'],
      ['[ ]', 'back and forward in the history of pages'],
      ['Tab ⇧Tab', 'next and previous list of the page, or next and previous view'],
      [':', 'jump to a view by its name; the first letters are enough'],
    ],
  ],
  [
    'Choose',
    [
      [...FILTER_KEY, ({ columns }) => columns !== undefined],
      ['n N', 'one namespace; all namespaces', (here) => here.namespaces],
    ],
  ],
  [
    'Details',
    [
      ['e', 'the evidence of an explanation', (here) => here.evidence],
      ['y', 'the object as YAML', (here) => here.object],
    ],
  ],
  [
    'What if',
    [
      ['m', 'mark the chosen cluster as failing', (here) => here.cluster],
      ['M', 'mark its whole region', (here) => here.region],
      [
        't',
        'add or remove a taint: on the marked clusters, instead of their failure, or on the chosen one',
        (here) => here.cluster,
      ],
      [
        'E',
        'edit the chosen policy, or the policy of the chosen workload, in $VISUAL or $EDITOR; nothing is written',
        (here) => here.policy,
      ],
      ['W', 'clear all marks', (here) => here.marks],
      ['w', 'outcome of each workload, before and after; without marks: if the chosen cluster fails'],
      [
        'r',
        'the same step by step; without marks, a recording shows its own steps',
        ({ replays }) => !replays,
      ],
    ],
  ],
  [
    'Replay',
    [
      ['Space', 'play, pause', (here) => here.replays],
      ['+ -', 'play faster, slower', (here) => here.replays],
      ['>', 'the next eviction', (here) => here.replays],
      ['Enter', 'why, at the moment of the step', (here) => here.replays],
    ],
  ],
  [
    'Actions, if allowed: each shows its plan first',
    [
      ['a', 'actions for the chosen object', (here) => here.acts],
      ['D', 'drain the cluster', acts('D')],
      ['B', 'cancel its drain', acts('B')],
      ['C U', 'cordon, uncordon it', acts('C')],
      ['H R X', 'an eviction: hold, release, cancel', acts('H')],
      ['A', 'apply the taint policies of a file; in :policies, a deletes one'],
      ['s', 'stop the running actions after the current write', (here) => here.stops],
    ],
  ],
  [
    'Commands',
    [
      ['c', 'the same as commands, with those that an explanation names'],
      ['x', 'copy the command below the list (if the terminal supports it)', (here) => here.command],
    ],
  ],
  ['Other', [...SCREEN_KEYS, ['q Ctrl-C', 'leave']]],
];

function acts(key: string): (here: KeysHere) => boolean {
  return ({ actions }) => actions.includes(key);
}

/** The keys that work on a page, or every key, and the views. */
export function helpBlocks(here?: KeysHere): Block[] {
  const groups = KEYS.map(([title, keys]): KeyGroup => [
    title,
    keys.filter(([, , isHere]) => !here || !isHere || isHere(here)).map(([key, about]) => [key, about]),
  ]);
  const sorts: KeyGroup = ['Sort', sortEntries(here)];
  return [
    ...keyBlocks([...groups, sorts].filter(([, keys]) => keys.length > 0)),
    {
      type: 'section',
      title: asStrong('Views'),
      blocks: [
        {
          type: 'keyValues',
          entries: VIEW_DESCRIPTIONS.map(([name, about]) => [`:${name}`, about] as const),
        },
      ],
    },
  ];
}

/** The digits for a list's columns; in the full help, that there are some. */
function sortEntries(here: KeysHere | undefined): KeyGroup[1] {
  if (!here) return [['1 … 9', 'sort by this column; again: the reverse order; 0: the default order']];
  const { columns = [] } = here;
  if (columns.length < 2) return [];
  return [
    [`1 … ${columns.length}`, `${columnsText(columns)}; again: the reverse order`],
    ['0', 'the default order'],
  ];
}
