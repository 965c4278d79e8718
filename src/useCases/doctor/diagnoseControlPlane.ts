import { policyRisks } from '../../analysis/findings/policies/policyChecks.ts';
import type { RiskOfPolicy } from '../../analysis/findings/policies/policyRisk.ts';
import { riskChecks } from '../../analysis/findings/catalogue.ts';
import {
  diagnose,
  worstFirst,
  type Cure,
  type DiagnosedControlPlane as Diagnosed,
} from '../../analysis/findings/state/diagnose.ts';
import { themes, type StateFinding } from '../../analysis/findings/state/stateCheck.ts';
import { stateChecks } from '../../analysis/findings/state/stateCatalogue.ts';
import { failoverSwitch } from '../../analysis/explanation/failoverSwitch.ts';
import { objectKey, workloadOf } from '../../karmada/objects/identities.ts';
import { unknownPolicies } from '../../karmada/world.ts';
import { keysOf } from '../../kubernetes/json.ts';
import { lazilyFor } from '../../kubernetes/lazily.ts';
import { remedyTrials } from '../explanation/remedyTrials.ts';
import { EXPLAINED_TEMPLATES, helpfulChanges, MAX_REPLAYED } from '../explanation/explainFailover.ts';
import type { Ports } from '../ports.ts';
import { Problem } from '../problem.ts';
import { selectedBindings, type Selection } from '../selection/selection.ts';
import { openStateToRead, type OpenedState } from '../state/openState.ts';
import { examinationOf } from './examinationOf.ts';
import type { StateRequest } from '../state/stateRequest.ts';

interface DoctorRequest {
  state: StateRequest;
  selection: Selection;
  /** ids or themes of checks to run, whose remedies are all simulated; absent: all checks */
  only?: readonly string[] | undefined;
  /** ids or themes of checks to skip */
  skip?: readonly string[] | undefined;
  /** the message for a risk of a ClusterTaintPolicy */
  riskWords: (risk: RiskOfPolicy) => string;
  /** how many findings, from the first, get a search by simulation for changes that help */
  cured: number;
}

/**
 * Examines a control plane by the catalogue of findings. Rejects with a Problem if the state cannot be read, a named
 * check does not exist, or no workload matches the label selector.
 */
export async function diagnoseControlPlane(
  request: DoctorRequest,
  ports: Ports,
): Promise<Diagnosed & { cured: Cure }> {
  const chosen = chosenChecks(request);
  const state = await openStateToRead(request.state, ports, {
    live: { templates: EXPLAINED_TEMPLATES, checks: true },
  });
  const diagnosed = diagnosisOf(state, chosen, request, ports);
  return { ...diagnosed, cured: curesOf(diagnosed.findings, state, request, ports) };
}

/** The diagnosis of a state that has already been read, without simulations. */
export function diagnosisOf(
  state: OpenedState,
  chosen: (id: string, theme: string) => boolean,
  { selection, riskWords }: Pick<DoctorRequest, 'selection' | 'riskWords'>,
  ports: Pick<Ports, 'names'>,
): Diagnosed {
  const { world, now, karmadaVersion, assumptions } = state;
  const bindings = selectedBindings(world, selection);
  // checks on no workloads would all pass
  if (selection.labels !== undefined && bindings.length === 0) throw new Problem({ code: 'no-labels' });
  const examination = examinationOf(state, bindings, ports.names);
  const { configuration, unverified: guessed, proven, names } = examination;
  const checks = stateChecks.filter(({ id, theme }) => chosen(id, theme));
  const { findings, passed, unchecked } = diagnose(examination, checks);
  const risks = policyFindings(state, guessed, riskWords).filter(({ check }) => chosen(check, 'taints'));
  const asked = riskChecks.filter(({ id }) => chosen(id, 'taints')).map(({ id }) => id);
  const found = new Set(risks.map(({ check }) => check));
  const all = worstFirst([...findings, ...risks]);
  const workloads = new Set(examination.bindings.map((one) => objectKey(workloadOf(one))));
  const concerned = all.flatMap(({ objects }) => objects).find((one) => workloads.has(objectKey(one)));
  return {
    findings: all,
    ...(concerned && { concerned }),
    passed: [...passed, ...asked.filter((id) => !found.has(id))],
    unchecked,
    checks: checks.length + asked.length,
    failover: failoverSwitch(
      world.clusters,
      world.taintPolicies,
      configuration,
      guessed,
      unknownPolicies(world, configuration.rules),
      names,
      world.bindings,
      proven,
    ),
    now,
    karmadaVersion,
    assumptions,
  };
}

/** The risks of the existing policies, by the same checks that lint uses for files. */
function policyFindings(
  { world: { taintPolicies, clusters }, configuration }: OpenedState,
  guessed: ReadonlySet<string>,
  riskWords: DoctorRequest['riskWords'],
): StateFinding[] {
  const risksOf = policyRisks(taintPolicies, clusters, configuration, guessed);
  const severities = new Map(riskChecks.map(({ id, severity }) => [id, severity]));
  return taintPolicies.flatMap((policy) => {
    const object = { kind: 'ClusterTaintPolicy', name: policy.metadata.name };
    return (
      risksOf(policy)
        // the checks of the chain report these two for the control plane as a whole
        .filter(({ code }) => code !== 'no-execute-dead' && code !== 'no-execute-refused')
        .map((risk): StateFinding => ({
          check: risk.code,
          severity: severities.get(risk.code)!,
          theme: 'taints',
          message: `${object.kind} ${object.name}: ${riskWords(risk)}`,
          objects: [object],
          evidence: [{ rule: riskWords(risk), object, field: risk.field }],
          remedy: {
            text: 'correct the policy',
            commands: [['kubectl', 'edit', 'clustertaintpolicy', object.name]],
          },
        }))
    );
  });
}

/** Which checks are requested, by id or theme. Throws a Problem for an unknown name. */
function chosenChecks({ only, skip }: DoctorRequest): (id: string, theme: string) => boolean {
  const known = new Set([
    ...stateChecks.flatMap(({ id, theme }) => [id, theme]),
    ...riskChecks.map(({ id }) => id),
  ]);
  for (const [input, given = []] of [
    ['only', only],
    ['skip', skip],
  ] as const)
    for (const name of given)
      if (!known.has(name))
        throw new Problem({ code: 'unknown-check', input, name, known: [...known], themes: keysOf(themes) });
  const names = (list: readonly string[] | undefined) => (list === undefined ? undefined : new Set(list));
  const [wanted, unwanted] = [names(only), names(skip)];
  return (id, theme) =>
    (!wanted || wanted.has(id) || wanted.has(theme)) && !unwanted?.has(id) && !unwanted?.has(theme);
}

/**
 * Tries the remedies of findings when they are shown, each once: the patches that simulations support, and for the first
 * findings changes that help.
 */
export function curesOf(
  findings: readonly StateFinding[],
  state: OpenedState,
  { cured, only }: Pick<DoctorRequest, 'cured' | 'only'>,
  ports: Ports,
): Cure {
  const tried = remedyTrials(state, { isUnlimited: only !== undefined });
  const searched = new Set(state.world.bindings.length > MAX_REPLAYED ? [] : findings.slice(0, cured));
  return lazilyFor((finding: StateFinding) => {
    const asked = searched.has(finding) ? finding.remedy?.simulate : undefined;
    const changes = asked ? helpfulChanges(asked.workload, asked.failing, state, ports) : [];
    return { ...tried(finding), ...(changes.length > 0 && { changes }) };
  });
}
