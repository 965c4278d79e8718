import { formatTaint } from '../../kubernetes/tolerations.ts';
import type { ScenarioAction, ScenarioEvent } from '../../simulator/scenario.ts';
import { identityOf } from '../../karmada/objects/identities.ts';
import { listed } from '../words/amounts.ts';
import { objectText } from '../words/names.ts';

/** The most events in a title. */
const MAX = 4;

interface Titled {
  scenario: { events: readonly ScenarioEvent[] };
  /** the names of the files of an `apply` */
  files: ReadonlyMap<ScenarioAction, string>;
  /** events without effect: not in the title */
  idle: ReadonlySet<ScenarioAction>;
}

/** External events, in order: "frankfurt fails, frankfurt recovers"; empty if there are none. */
export function scenarioTitle({ scenario, files, idle }: Titled): string {
  const inOrder = scenario.events.filter(({ action }) => !idle.has(action)).sort((a, b) => a.at - b.at);
  return listed(
    inOrder.map(({ action }) => actionText(action, files.get(action))),
    MAX,
  );
}

function actionText(action: ScenarioAction, file: string | undefined): string {
  switch (action.type) {
    case 'fail':
      return `${action.cluster} fails`;
    case 'recover':
      return `${action.cluster} recovers`;
    case 'condition':
      return `${action.cluster} becomes ${action.condition.type}=${action.condition.status}`;
    case 'taint':
      return `${action.cluster} is tainted ${formatTaint(action.taint)}`;
    case 'untaint':
      return `${action.cluster} is untainted ${action.key}${action.effect ? `:${action.effect}` : ''}`;
    case 'health':
      return `${objectText(action.workload)} becomes ${action.health} on ${action.cluster}`;
    case 'patch':
      return `${objectText(action.target)} is patched`;
    case 'apply': {
      const names = action.objects.map((object) => objectText(identityOf(object)));
      return `${file ?? listed(names, 2)} ${file === undefined && names.length > 1 ? 'are' : 'is'} applied`;
    }
    case 'restart':
      return `${action.component} is restarted`;
    case 'stop':
      return `${action.component} is stopped`;
    case 'start':
      return `${action.component} is started`;
    case 'delete':
      return `${objectText(action.target)} is deleted`;
  }
}
