import {
  crdSchema,
  duplicateObject,
  notIgnorable,
  suggestedKind,
  unreadableDocument,
} from '../../analysis/findings/admission.ts';
import { fileChecks } from '../../analysis/findings/catalogue.ts';
import type { Finding, FindingRule } from '../../analysis/findings/finding.ts';
import { diagnose } from '../../analysis/findings/state/diagnose.ts';
import { isTemplate } from '../../analysis/findings/state/unbound.ts';
import type { StateCheck, StateFinding } from '../../analysis/findings/state/stateCheck.ts';
import { stateChecks } from '../../analysis/findings/state/stateCatalogue.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { otherKinds } from '../../karmada/api/otherKinds.ts';
import type { PropagationPolicy } from '../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { withClaim } from '../../karmada/objects/claims.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import { bindingName, objectKey, workloadOf, objectText } from '../../karmada/objects/identities.ts';
import { policyIdentity, policyKind } from '../../karmada/objects/policies.ts';
import { dialectOf } from '../../karmada/dialects/dialects.ts';
import { emptyWorld, type World } from '../../karmada/world.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { changesOfMerge } from '../../kubernetes/dataChange.ts';
import { isObject } from '../../kubernetes/json.ts';
import { appendAll } from '../../kubernetes/longLists.ts';
import { validateObject } from '../../state/world/validateObject.ts';
import { readAs } from '../../state/errors.ts';
import type { Chunks } from '../../state/input/textEncoding.ts';
import {
  type Manifest,
  type ManifestSources,
  type ManifestText,
  readManifests,
} from '../../state/manifests/readManifests.ts';
import type { InputNames } from '../ports.ts';
import { admissionFindings, identityOfManifest, isTaintPolicy } from '../taintPolicy/admissionFindings.ts';
import {
  byPlace,
  appliedFindings,
  readRules,
  type RiskWords,
  validateManifests,
} from '../taintPolicy/validateManifests.ts';
import { uselessIgnores } from '../rules/uselessIgnores.ts';
import { checkOrganisationRules, type OrganisationRule } from '../rules/organisationRules.ts';

/** The context for checking manifests. */
export interface LintQuestion {
  sources: ManifestSources;
  /** files with rules written by organisations */
  rules: { files: readonly string[]; called: string };
  configuration: Configuration;
  /** gates and flags whose values are unverified defaults */
  unverified: ReadonlySet<string>;
  karmadaVersion: string;
  names: InputNames;
  /** the control plane that they would be merged into; absent: unknown */
  world?: World | undefined;
  riskWords: RiskWords;
}

interface Linted {
  findings: Finding[];
  rules: FindingRule[];
  objects: { kind: string; name: string; file: string; line: number }[];
  files: number;
  passedOver: number;
  warnings: string[];
  /** the texts that were read, for code that fixes them */
  texts: readonly ManifestText[];
}

/**
 * Checks manifests by the catalogue: objects that Karmada would refuse, risks of policies by themselves, and, if a
 * control plane is given, problems that they would have there. Rejects with a StateError if something cannot be read.
 */
export async function lintManifests(question: LintQuestion, stdin: () => Chunks): Promise<Linted> {
  const { sources, rules, configuration, riskWords } = question;
  const organisation = await readAs(rules.called, () => readRules(rules.files, stdin));
  const { manifests, texts, files, warnings, unreadable } = await readManifests(
    { ...sources, anything: true },
    stdin,
  );
  const validated = await validateManifests(manifests, configuration, riskWords, organisation);
  const kinds = new Map<string, { meant: ReturnType<typeof suggestedKind> }>();
  const own = manifests.flatMap((manifest) => {
    const { apiVersion, kind } = manifest.object;
    const { meant } = getOrAdd(kinds, `${apiVersion} ${kind}`, () => ({
      meant: isTaintPolicy(manifest) ? undefined : suggestedKind(manifest.object, configuration),
    }));
    return meant ? [{ manifest, meant }] : [];
  });
  const refused = own.map(({ manifest, meant }) => {
    const found = admissionFindings(manifest, configuration, meant);
    return found.length > 0 ? found : unlikeSchema(manifest);
  });
  const sound = own.filter((_, at) => refused[at]!.length === 0).map(({ manifest }) => manifest);
  const beside = manifests.filter(isReadBeside);
  const risky = riskyManifests(sound, beside, question);
  const findings = [
    ...unreadable.map(({ place, problem }): Finding => ({
      rule: unreadableDocument.id,
      severity: unreadableDocument.severity,
      message: `${problem}; the document was not checked`,
      place,
    })),
    ...duplicates(manifests),
    ...validated.findings,
  ];
  for (const [at, { manifest }] of own.entries()) {
    const found = await checkOrganisationRules(organisation, manifest, identityOfManifest(manifest));
    const all = [...refused[at]!, ...(risky.get(manifest) ?? []), ...found];
    appendAll(findings, appliedFindings(manifest, all, organisation).sort(byPlace));
  }
  for (const manifest of beside)
    appendAll(findings, appliedFindings(manifest, risky.get(manifest) ?? [], organisation).sort(byPlace));
  return {
    findings: heedComments(
      findings,
      texts,
      organisation.map(({ id }) => id),
    ),
    rules: rulesOf(organisation),
    objects: [...validated.policies, ...own.map(({ manifest }) => manifest), ...beside].map((manifest) => {
      const { kind, name } = identityOfManifest(manifest);
      return { kind, name, file: manifest.source, line: manifest.at([]).line };
    }),
    files,
    passedOver: validated.others - own.length - beside.length,
    warnings,
    texts,
  };
}

/** Objects that occur twice in one text, without the first of each. */
function duplicates(manifests: readonly Manifest[]): Finding[] {
  const first = new Map<string, Manifest>();
  return manifests.flatMap((manifest): Finding[] => {
    const { object, source } = manifest;
    const identity = identityOfManifest(manifest);
    const { metadata } = object;
    // generated names differ
    if (!isObject(metadata) || !metadata['name']) return [];
    const key = `${source} ${object.apiVersion} ${objectKey(identity)}`;
    const known = getOrAdd(first, key, () => manifest);
    if (known === manifest) return [];
    const { id: rule, severity } = duplicateObject;
    const message = `${objectText(identity)} is in this text already, at line ${known.at([]).line}: the last one counts`;
    return [{ rule, severity, message, object: identity, place: { file: source, ...manifest.at([]) } }];
  });
}

const lintChecks = stateChecks.filter(({ lints }) => lints !== undefined);

function rulesOf(organisation: readonly OrganisationRule[]): FindingRule[] {
  return [...fileChecks, ...lintChecks, ...organisation];
}

/** Workloads and Prometheus rules: checks read the parts that matter for failover. */
function isReadBeside(manifest: Manifest): boolean {
  const { apiVersion, kind } = manifest.object;
  return (
    (apiVersion === 'apps/v1' && isTemplate(kind)) ||
    (apiVersion.startsWith('monitoring.coreos.com/') && kind === 'PrometheusRule')
  );
}

function isPropagationPolicy({ object: { kind } }: Manifest): boolean {
  return kind === 'PropagationPolicy' || kind === 'ClusterPropagationPolicy';
}

/** Policies that could exist together in one control plane: overlays repeat names, or select the same workload. */
interface Layer {
  policies: PropagationPolicy[];
  bindings: ResourceBinding[];
  /** by the keys of policies and workloads */
  manifests: Map<string, Manifest>;
}

/** The findings of control plane checks in manifests, as if each resource that policies name existed. */
function riskyManifests(
  sound: readonly Manifest[],
  beside: readonly Manifest[],
  { configuration, unverified, karmadaVersion, names, world = emptyWorld() }: LintQuestion,
): Map<Manifest, Finding[]> {
  const policies = sound.filter(isPropagationPolicy);
  const layers: Layer[] = [];
  for (const [at, manifest] of policies.entries()) {
    const [object] = readable(manifest);
    if (!object) continue;
    const policy = withId(object as PropagationPolicy, at);
    const bindings = bindingsOf(policy);
    const keys = [policyIdentity(policy), ...bindings.map(workloadOf)].map(objectKey);
    let layer = layers.find(({ manifests }) => !keys.some((key) => manifests.has(key)));
    if (!layer) layers.push((layer = { policies: [], bindings: [], manifests: new Map() }));
    layer.policies.push(policy);
    layer.bindings.push(...bindings);
    for (const key of keys) layer.manifests.set(key, manifest);
  }
  // overlays repeat names here, too
  const copies = new Map<string, { manifest: Manifest; object: KubernetesObject }[]>();
  for (const manifest of sound) {
    if (isPropagationPolicy(manifest)) continue;
    const own = getOrAdd(copies, objectKey(identityOfManifest(manifest)), () => []);
    for (const object of readable(manifest)) own.push({ manifest, object });
  }
  const count = Math.max(1, ...[...copies.values()].map(({ length }) => length));
  while (layers.length < count) layers.push({ policies: [], bindings: [], manifests: new Map() });
  const checks = lintChecks.filter(({ lints }) => lints === 'manifests' || world.clusters.length > 0);
  const ofOne = checks.filter(({ needs }) => needs.includes('Template') || needs.includes('PrometheusRule'));
  const { release } = dialectOf(karmadaVersion).dialect;
  const priorityClasses = world.others.filter(({ kind }) => kind === 'PriorityClass');
  const examined = (
    objects: Pick<World, 'policies' | 'others'>,
    of: readonly ResourceBinding[],
    made: readonly StateCheck[],
  ) =>
    diagnose(
      {
        world: {
          ...world,
          policies: objects.policies,
          // the other objects of the control plane are not those that the manifests belong to
          others: [...priorityClasses, ...objects.others],
          bindings: [...of],
          works: [],
        },
        bindings: of,
        configuration,
        unverified: unverified,
        karmadaVersion,
        names,
        isWritten: true,
        now: 0,
        proven: new Map(),
        release,
        commandLines: [],
        versions: [],
        unknownFlags: [],
        skipsNamespace: () => false,
      },
      made,
    ).findings;
  const found = new Map<Manifest, Finding[]>();
  const note = (manifest: Manifest, { check, severity, message, evidence, remedy }: StateFinding) => {
    const field = evidence[0]?.field?.startsWith('spec.') ? evidence[0].field : 'spec';
    const object = identityOfManifest(manifest);
    const patches = remedy?.certain ? (remedy.patches ?? []) : [];
    const changes = patches
      .filter(({ target }) => objectKey(target) === objectKey(object))
      .flatMap(({ merge }) => changesOfMerge(manifest.object, merge));
    const own = getOrAdd(found, manifest, () => []);
    // an object beside the policies is in every layer of theirs
    if (own.some((one) => one.rule === check && one.message === message && one.field === field)) return;
    own.push({
      rule: check,
      severity,
      message,
      field,
      object,
      ...(changes.length > 0 && { fix: { of: manifest.object, changes } }),
      place: { file: manifest.source, ...manifest.at(field.replaceAll('[]', '')) },
    });
  };
  for (const [at, layer] of layers.entries()) {
    const copyOf = (own: readonly { manifest: Manifest; object: KubernetesObject }[] = []) =>
      own[at] ?? own.at(-1);
    const others = [...copies.values()].flatMap((own) => copyOf(own)?.object ?? []);
    for (const finding of examined({ policies: layer.policies, others }, layer.bindings, checks)) {
      const keys = finding.objects.map(objectKey);
      const about = keys.flatMap(
        (key) => layer.manifests.get(key) ?? copyOf(copies.get(key))?.manifest ?? [],
      );
      for (const manifest of new Set(about)) note(manifest, finding);
    }
  }
  // several files may have workloads of the same name
  for (const manifest of beside)
    for (const finding of examined({ policies: [], others: readable(manifest) }, [], ofOne))
      note(manifest, finding);
  return found;
}

/** Values whose type differs from the schema of their kind, for kinds that admission does not decode. */
function unlikeSchema(manifest: Manifest): Finding[] {
  const { object } = manifest;
  if (!otherKinds.has(`${object.apiVersion}/${object.kind}`)) return [];
  const verdict = validateObject(structuredClone(object));
  if (!('problem' in verdict) || verdict.path === undefined) return [];
  const field = verdict.path.slice(1);
  return [
    {
      rule: crdSchema.id,
      severity: crdSchema.severity,
      message: verdict.problem,
      field,
      object: identityOfManifest(manifest),
      place: { file: manifest.source, ...manifest.at(field) },
    },
  ];
}

/** The object of a manifest if checks can read it, without nulls; none if its fields have other types. */
function readable({ object }: Manifest): KubernetesObject[] {
  const verdict = validateObject(structuredClone(object));
  return 'problem' in verdict ? [] : [verdict.object];
}

/** A policy with the id that the webhook gives it. */
function withId(policy: PropagationPolicy, at: number): PropagationPolicy {
  const id = `${policyKind(policy) === 'PropagationPolicy' ? 'propagationpolicy' : 'clusterpropagationpolicy'}.karmada.io/permanent-id`;
  return {
    ...policy,
    metadata: { ...policy.metadata, labels: { ...policy.metadata.labels, [id]: `lint-${at}` } },
  };
}

/** Kinds with replicas, which checks treat as workloads. */
const WORKLOADS = new Set(['Deployment', 'StatefulSet', 'ReplicaSet', 'Job']);

/** The bindings that a policy makes for the resources that it names, each with one replica if it has replicas. */
function bindingsOf(policy: PropagationPolicy): ResourceBinding[] {
  const { spec, metadata } = policy;
  return (spec.resourceSelectors ?? []).map(({ apiVersion, kind, namespace, name = '*' }) => {
    const own = namespace ?? metadata.namespace;
    return {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: withClaim({ ...(own && { namespace: own }), name: bindingName(kind, name) }, policy),
      spec: {
        resource: { apiVersion, kind, ...(own && { namespace: own }), name },
        ...(spec.placement && { placement: spec.placement }),
        ...(spec.failover && { failover: spec.failover }),
        ...(spec.suspension && { suspension: spec.suspension }),
        propagateDeps: spec.propagateDeps ?? false,
        schedulerName: spec.schedulerName ?? 'default-scheduler',
        ...(WORKLOADS.has(kind) && { replicas: 1 }),
      },
    };
  });
}

const COMMENT = /#\s*karmada-failover:\s*ignore(?:\s+(\S+)\s*(.*))?$/;

/**
 * Marks the findings that a comment on the same or the previous line says to ignore; reports comments without a
 * finding. Findings that an API server would refuse always count.
 */
function heedComments(
  findings: readonly Finding[],
  texts: readonly ManifestText[],
  organisation: readonly string[],
): Finding[] {
  const comments = texts.flatMap(({ source, text }) =>
    text.includes('karmada-failover:')
      ? text.split('\n').flatMap((line, at) => {
          const [comment, rule = '', reason = ''] = COMMENT.exec(line) ?? [];
          if (comment === undefined) return [];
          const alone = line.trimStart().startsWith('#');
          return {
            file: source,
            line: at + 1,
            covers: alone ? at + 2 : at + 1,
            column: line.indexOf('#') + 1,
            rule,
            reason,
          };
        })
      : [],
  );
  const used = new Set<(typeof comments)[number]>();
  const marked = findings.map((finding): Finding => {
    if (finding.ignored || notIgnorable.has(finding.rule)) return finding;
    const comment = comments.find(
      ({ file, covers, rule }) =>
        file === finding.place.file && covers === finding.place.line && rule === finding.rule,
    );
    if (!comment) return finding;
    used.add(comment);
    return { ...finding, ignored: { reason: comment.reason.trim() } };
  });
  // refused objects were not checked any further
  const refused = new Set(
    findings.flatMap(({ rule, place }) => (notIgnorable.has(rule) ? [place.file] : [])),
  );
  const useless = comments.filter((comment) => !used.has(comment) && !refused.has(comment.file));
  return [
    ...marked,
    ...useless.map(({ file, line, column, rule }) =>
      uselessIgnores(rule, organisation, { place: { file, line, column } }, ' here'),
    ),
  ];
}
