import { formatTaint } from '../../kubernetes/tolerations.ts';
import type { ScenarioAction, ScenarioEvent } from '../../simulator/scenario.ts';
import { groupedBy } from '../../kubernetes/nonEmpty.ts';
import { identityOf } from '../../karmada/objects/identities.ts';
import { listed } from '../words/amounts.ts';
import { objectText } from '../words/names.ts';

/** The most events in a title. */
const MAX = 4;

interface Titled {
  scenario: { events: readonly ScenarioEvent[] };
  /** the names of the files of an `apply` */
  files: ReadonlyMap<ScenarioAction, string>;
  /** the area that each failure of a whole area belongs to */
  areas: ReadonlyMap<ScenarioAction, { property: string; value: string }>;
  /** events without effect: not in the title */
  idle: ReadonlySet<ScenarioAction>;
}

/**
 * External events, in order: "frankfurt fails, frankfurt recovers", "region europe fails (dublin, frankfurt)"; empty if
 * there are none.
 */
export function scenarioTitle({ scenario, files, areas, idle }: Titled): string {
  const inOrder = scenario.events.filter(({ action }) => !idle.has(action)).sort((a, b) => a.at - b.at);
  const groups = groupedBy(inOrder, ({ action }) => areas.get(action) ?? action);
  const texts = [...groups].map(([event, members]) =>
    'property' in event
      ? `${event.property} ${event.value} fails (${listed(
          members.flatMap(({ action }) => ('cluster' in action ? action.cluster : [])),
          MAX,
        )})`
      : actionText(event, files.get(event)),
  );
  return listed(texts, MAX);
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
