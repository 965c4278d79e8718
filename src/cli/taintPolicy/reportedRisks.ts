import type { Manifest } from '../../state/manifests/readManifests.ts';
import { riskChecks } from '../../analysis/findings/catalogue.ts';
import type { PolicyRisk } from '../../analysis/findings/policies/policyRisk.ts';
import { riskText, type ReportedRisk } from '../../views/taintPolicy/riskWords.ts';
import { ports } from '../ports.ts';

/** Risks that are reported but stop nothing: they are harmless, or the control plane itself refuses the change. */
const REPORTED_ONLY: ReadonlySet<string> = new Set<PolicyRisk['code']>([
  'lists-no-taints',
  'never-added',
  'no-active-migration',
  'window-shorter-than-probe',
  'policies-dead',
  'targets-no-cluster',
]);

/** The names of risks for --accept. */
export const RISKS: readonly string[] = riskChecks.map(({ id }) => id).filter((id) => !REPORTED_ONLY.has(id));

/** Whether a risk is accepted, by its name and its text. */
export type RiskAcceptance = (risk: { code: string; message: string }) => boolean;

/** Risks as text, with the places of their fields, and whether they stop the change. */
export function reportedRisks(
  risks: readonly PolicyRisk[],
  isAcceptedBy: RiskAcceptance,
  manifests: ReadonlyMap<string, Manifest>,
): ReportedRisk[] {
  return risks.map((risk): ReportedRisk => {
    const { code } = risk;
    const message = riskText(risk, ports.names.assume);
    const isAccepted = isAcceptedBy({ code, message });
    const partly = code === 'condition-not-reported' && !risk.everywhere;
    const reported = { code, message, stops: !REPORTED_ONLY.has(code) && !partly };
    const assumed = 'assumed' in risk ? { assumed: risk.assumed } : {};
    if (!('field' in risk)) return { ...reported, accepted: reported.stops && isAccepted, ...assumed };
    const manifest = manifests.get(risk.policy);
    return {
      ...reported,
      accepted: reported.stops && isAccepted,
      policy: risk.policy,
      field: risk.field,
      ...assumed,
      place: manifest ? { file: manifest.source, ...manifest.at(risk.field) } : undefined,
    };
  });
}
