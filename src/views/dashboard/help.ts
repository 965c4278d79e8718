import type { Block } from '../../presentation/model.ts';
import { strong } from '../../presentation/words.ts';
import { FILTER_KEY, keyBlocks, MOVING, SCREEN_KEYS, SORT_KEY, type KeyGroup } from '../screen/keyHelp.ts';
import { JUMPS } from './place.ts';

/** Every key with a line about it. */
export const KEYS: readonly KeyGroup[] = [
  MOVING,
  [
    'Go',
    [
      ['Enter →', 'open: cluster, its workloads, the explanation, its evidence, the object at the field'],
      ['Esc ←', 'back, or give up a filter'],
      ['[ ]', 'back and forward through what you have seen'],
      ['Tab ⇧Tab', 'the next and the previous list'],
      [':', 'jump to a view by its name; the first letters are enough'],
    ],
  ],
  ['Choose', [FILTER_KEY, ['n N', 'only one namespace; all of them'], SORT_KEY]],
  [
    'Look closer',
    [
      ['e', 'the evidence of an explanation'],
      ['y', 'the object as YAML'],
    ],
  ],
  [
    'What if',
    [
      ['m M', 'mark the chosen cluster as failing; its whole region'],
      [
        't',
        'a taint that comes or goes, for the marked clusters in place of their failure, or for the chosen one',
      ],
      ['E', 'edit a policy, or that of the chosen workload, in $VISUAL or $EDITOR; nothing is written'],
      ['W', 'give up all marks'],
      [
        'w',
        'what becomes of everything then: today beside tomorrow; without marks, if the chosen cluster fails',
      ],
      [
        'r',
        'the same step by step: Space plays and pauses, + - faster and slower, > the next eviction, Enter why',
      ],
      ['r', 'of a recording, if no cluster is marked: what was recorded, in the same way'],
    ],
  ],
  [
    'Act, if that is allowed: each shows its plan first',
    [
      ['a', 'what can be done to what is chosen'],
      ['D B C U', 'a cluster: drain it, take back its drain, cordon, uncordon'],
      ['H R X', 'an eviction: hold, release, cancel'],
      ['A', 'apply the taint policies of a file; in :policies, a deletes one'],
      ['Enter', 'on the page of a plan: asks whether to do it; only y and yes do'],
      ['s', 'stop what is at work, after the write under way'],
    ],
  ],
  [
    'Commands',
    [
      ['c', 'the commands that show or do the same'],
      ['x', 'copy the command below the list, if the terminal can'],
    ],
  ],
  ['Else', [...SCREEN_KEYS, ['q Ctrl-C', 'leave']]],
];

/** The page of keys and views. */
export function helpBlocks(): Block[] {
  return [
    ...keyBlocks(KEYS),
    {
      type: 'section',
      title: strong('Views'),
      blocks: [{ type: 'keyValues', entries: JUMPS.map(([name, about]) => [`:${name}`, about] as const) }],
    },
  ];
}
