import type { Manifest } from '../../state/manifests/readManifests.ts';
import type { ChangeRisk } from '../../useCases/taintPolicy/planPolicyChange.ts';
import { listed } from '../../views/words/listed.ts';
import { riskRules, riskText } from '../../views/taintPolicy/riskWords.ts';
import type { ToldRisk } from '../../views/taintPolicy/risks.ts';
import { workloadName } from '../../views/words/workloadName.ts';
import { ports } from '../ports.ts';

/** Risks that are reported but stop nothing: they harm nobody, or the control plane itself refuses the change. */
const TOLD_ONLY: ReadonlySet<ChangeRisk['code']> = new Set<ChangeRisk['code']>([
  'lists-no-taints',
  'never-added',
  'no-active-migration',
  'window-shorter-than-probe',
  'policies-dead',
  'targets-no-cluster',
]);

/** The names by which --accept knows risks. */
export const RISKS: readonly string[] = [
  ...Object.keys(riskRules).filter((code) => !TOLD_ONLY.has(code as ChangeRisk['code'])),
  'workloads-lost',
  'workloads-blocked',
];

/** Whether a risk is accepted, by its name and its words. */
export type RiskAcceptance = (risk: { code: string; message: string }) => boolean;

/** Risks in words, with the places of their fields, and which of them stop the change. */
export function toldRisks(
  risks: readonly ChangeRisk[],
  isAcceptedBy: RiskAcceptance,
  manifests: ReadonlyMap<string, Manifest>,
): ToldRisk[] {
  return risks.map((risk): ToldRisk => {
    const { code } = risk;
    const message = messageOf(risk);
    const isAccepted = isAcceptedBy({ code, message });
    const partly = code === 'condition-not-reported' && !risk.everywhere;
    const told = { code, message, stops: !TOLD_ONLY.has(code) && !partly };
    const assumed = 'assumed' in risk ? { assumed: risk.assumed } : {};
    if (!('field' in risk)) return { ...told, accepted: told.stops && isAccepted, ...assumed };
    const manifest = manifests.get(risk.policy);
    return {
      ...told,
      accepted: told.stops && isAccepted,
      policy: risk.policy,
      field: risk.field,
      ...assumed,
      place: manifest ? { file: manifest.source, ...manifest.at(risk.field) } : undefined,
    };
  });
}

function messageOf(risk: ChangeRisk): string {
  if (!('workloads' in risk)) return riskText(risk, ports.names.assume);
  const names = listed(risk.workloads.map(workloadName));
  return risk.code === 'workloads-lost'
    ? `nothing is left of ${names}`
    : `the scheduler finds no place for ${names}`;
}
