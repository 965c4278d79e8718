/** Keys of one kind. */
export interface Kind {
  name: string;
  keys: readonly string[];
  /** milliseconds after each of them */
  pause: number;
}

const ESC = '\u001b';
const times = (count: number, key: string) => Array<string>(count).fill(key);
const kind = (name: string, keys: readonly string[], pause = 60): Kind => ({ name, keys, pause });
const goTo = (name: string) => [':', ...name, '\r'];

/** The keys of a user who looks at everything. */
export const SCRIPT: readonly Kind[] = [
  kind('clusters: down, pages, ends', [...goTo('clusters'), ...times(10, 'j'), ' ', ' ', 'G', 'g']),
  kind('clusters: each column', [...'112233456789', '0']),
  kind('jump to the workloads', [...goTo('workloads'), ...goTo('clusters'), ...goTo('workloads')]),
  kind('workloads: down', times(40, 'j')),
  kind('workloads: pages, ends', [...times(10, ' '), 'G', 'g', 'G', 'g']),
  kind('a filter, regular expression', ['/', ...'media-2.*pricing', '\r']),
  kind('the filter given up', [ESC], 200),
  kind('a filter, letters in order', ['/', ...'~mp2dep', '\r']),
  kind('the filter given up', [ESC], 200),
  kind('a filter, what does not match', ['/', ...'!media', '\r']),
  kind('the filter given up', [ESC], 200),
  kind('workloads: each column', [...'1122334455', '0'], 300),
  kind('a namespace, all', ['n', 'm', '\t', '\r', 'N'], 200),
  kind('an explanation', ['\r', 'j', ' ', 'G', 'g'], 1500),
  kind('its evidence', ['\r', 'j', '\r'], 1500),
  kind('the object as YAML', ['j', ' ', 'G', 'g', 'h'], 500),
  kind('history', ['[', '[', '[', ']', ']', ']'], 500),
  kind('timeline', [...goTo('events'), 'j', ' ', 'G', 'g', '1', '2', '3', '4', '0'], 150),
  kind('evictions', [...goTo('evictions'), 'j', '1', '5', '0'], 150),
  kind(
    'drains, policies, failover',
    [...goTo('drains'), ...goTo('policies'), 'j', 'G', ...goTo('failover')],
    150,
  ),
  kind('marks', [...goTo('clusters'), 'm', 'm', 'm', 'M', 'M'], 150),
  kind('a what-if is asked for', ['w'], 20_000),
  kind('what-if: down, pages, ends', [...times(10, 'j'), ' ', ' ', 'G', 'g']),
  kind('what-if: each column', [...'11223456', '0'], 100),
  kind('its steps', ['r'], 5000),
  kind('steps: down, ends, next eviction', ['j', ' ', 'G', 'g', '>', '>', '>'], 100),
  kind('steps: played, faster, paused', ['g', ' ', '+', '+', '+', '-', ' '], 600),
  kind('why one happens', ['\r'], 5000),
];
