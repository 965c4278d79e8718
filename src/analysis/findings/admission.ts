import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { admissionSettings, admitObject } from '../../karmada/defaults/admitObject.ts';
import { renamedPurgeModes } from '../../karmada/dialects/switches/api.ts';
import { simulatedId } from '../../karmada/objects/identities.ts';
import { apiTypes, isOlderVersion, otherApiVersions } from '../../karmada/api/kinds.ts';
import { wholeSchema } from '../../karmada/api/otherKinds.ts';
import type { DataChange } from '../../kubernetes/dataChange.ts';
import { pathText, stepsOf } from '../../kubernetes/fieldPath.ts';
import { invalid, requiredValue, withoutSecrets, type FieldError } from '../../kubernetes/fieldErrors.ts';
import { isObject, type JsonObject } from '../../kubernetes/json.ts';
import { MAX_EDIT_DISTANCE, closestName, editDistance } from '../../kubernetes/spelling.ts';
import { structuralErrors } from '../../kubernetes/validation/structural.ts';
import { decode, unknownFields, type UnknownField } from '../../kubernetes/schema/decode.ts';
import { dnsSubdomainErrors } from '../../kubernetes/validation/names.ts';
import { isWhollyOf, otherForm } from '../taintPolicy/conversion/forms.ts';
import { type Check, type CheckOf } from './check.ts';
import { limitedFindings } from './finding.ts';

const GROUP = 'policy.karmada.io';
const API_VERSION = `${GROUP}/v1alpha1`;
const KIND = 'ClusterTaintPolicy';

/** An object as written by a user; only apiVersion and kind have been checked. */
type WrittenObject = JsonObject & { apiVersion: string; kind: string };

/** Other names that users write for the kind, besides typos of a letter or two. */
const LIKE_THE_KIND = ['clustertaintpolicy', 'clustertaintpolicies', 'taintpolicy', 'taintpolicies'];

/**
 * Whether an object is meant to be a ClusterTaintPolicy: with any apiVersion, and with possible typos in kind and
 * group.
 */
export function isTaintPolicy({ apiVersion, kind }: WrittenObject): boolean {
  const slash = apiVersion.lastIndexOf('/');
  const group = apiVersion.slice(0, Math.max(slash, 0));
  const written = kind.toLowerCase();
  return (
    LIKE_THE_KIND.some((like) => editDistance(written, like) <= MAX_EDIT_DISTANCE) &&
    // The core group has no policies.
    (group === '' ||
      group.includes('karmada') ||
      editDistance(group.toLowerCase(), GROUP) <= MAX_EDIT_DISTANCE)
  );
}

/** The name of an object, or the beginning of its generated name; otherwise "". */
export function nameOf({ metadata }: JsonObject): string {
  const { name, generateName } = isObject(metadata) ? metadata : {};
  return isText(name) ? name : isText(generateName) ? generateName : '';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** A refusal by an API server or webhook, in its words. */
interface Refused {
  code: 'unknown-api' | 'unknown-field' | 'object-name' | 'crd-schema' | 'webhook' | 'other-form';
  message: string;
  /** absent: the object as a whole */
  field?: string;
  /** an unambiguous fix */
  fix?: readonly DataChange[];
}

interface Written {
  object: WrittenObject;
  configuration: Configuration;
  /** the intended kind; absent: ClusterTaintPolicy */
  meant?: SuggestedKind;
}

/** A kind of Karmada's API, and its apiVersion. */
export interface SuggestedKind {
  kind: string;
  apiVersion: string;
  /** no other kind's name is as similar */
  certain: boolean;
  /** no kind has a similar name: the kinds of the group */
  instead?: readonly string[];
}

const TAINT_POLICY: SuggestedKind = { kind: KIND, apiVersion: API_VERSION, certain: true };

/** karmadactl's own files use it as well: there a kind outside the API is not a mistake. */
const GROUP_OF_FILES = 'config.karmada.io';

/** The edit distance of a written kind to a kind, or to the name of its resource, ignoring case. */
function slipsOfKind(written: string, kind: string): number {
  const [given, name] = [written.toLowerCase(), kind.toLowerCase()];
  return Math.min(editDistance(given, name), editDistance(given, `${name.replace(/y$/, 'ie')}s`));
}

/**
 * The kind of Karmada's API that an object is meant to be, with possible typos in kind and group, or the one that it
 * claims in one of Karmada's groups; undefined if it is none.
 */
export function suggestedKind(object: WrittenObject, { rules }: Configuration): SuggestedKind | undefined {
  if (isTaintPolicy(object)) return TAINT_POLICY;
  const { apiVersion, kind } = object;
  if (isOlderVersion(apiVersion, kind)) return undefined;
  const group = apiVersion.slice(0, Math.max(apiVersion.lastIndexOf('/'), 0)).toLowerCase();
  const known = [
    ...[...apiTypes(rules).kinds].map(
      ([name, { group: own, version }]) => [name, `${own}/${version}`] as const,
    ),
    ...Object.entries(otherApiVersions),
  ].map(([name, served]) => ({
    kind: name,
    apiVersion: served,
    slips: slipsOfKind(kind, name) + (kind === name ? 0 : 0.5),
  }));
  const [nearest, next] = known.sort((a, b) => a.slips - b.slips);
  if (!nearest || nearest.slips > MAX_EDIT_DISTANCE + 0.5) {
    const inGroup = known.filter((one) => one.apiVersion.startsWith(`${group}/`)).map((one) => one.kind);
    if (inGroup.length === 0 || group === GROUP_OF_FILES) return undefined;
    return { kind, apiVersion, certain: false, instead: inGroup.sort() };
  }
  const own = nearest.apiVersion.slice(0, nearest.apiVersion.indexOf('/'));
  const isKarmadaGroup = group.includes('karmada') || editDistance(group, own) <= MAX_EDIT_DISTANCE;
  const { kind: meant, apiVersion: served, slips: most } = nearest;
  return isKarmadaGroup ? { kind: meant, apiVersion: served, certain: next?.slips !== most } : undefined;
}

type AdmissionCheck = CheckOf<Written, Refused>;

/**
 * What kubectl, the API server and the webhooks of a version would refuse in a ClusterTaintPolicy, in their own words:
 * an API that is not served, the form of another control plane, unknown fields, the name, the schema, the rules of the
 * webhook. As there, the first failing check ends the checks, except for unknown fields and the name.
 */
export function refusedOf(
  object: WrittenObject,
  configuration: Configuration,
  meant: SuggestedKind = TAINT_POLICY,
): Refused[] {
  const written = { object, configuration, meant };
  const api = unknownApi.find(written);
  if (api.length > 0) return api;
  const names = objectName.find(written);
  const form = otherFormCheck.find(written);
  if (form.length > 0) return [...form, ...names];
  const few = (refused: readonly Refused[]) => limitedFindings(refused, (one) => one);
  const unknown = unknownField.find(written);
  const values = refusedByServer(written);
  return [...few(unknown), ...names, ...few(unknown.length > 0 ? values.map(withoutAddition) : values)];
}

/** A field that seems to be missing may be present with a misspelt name: that is corrected first. */
function withoutAddition({ fix, ...refused }: Refused): Refused {
  return fix && !fix.some(({ change }) => change === 'addMember') ? { ...refused, fix } : refused;
}

/** A document or a file that cannot be read: the reader of the text reports it. */
export const unreadableDocument: Check<'unreadable-document'> = {
  id: 'unreadable-document',
  severity: 'error',
  title: 'a document or a file cannot be read',
  help: 'A document is neither YAML nor JSON, or a file is binary, a dangling link, or not readable for this user. kubectl stops there and applies nothing after it. Correct the indentation or the quotes at the named place. In a directory, templates of Helm and files without apiVersion are skipped with a warning.',
  needs: ['ClusterTaintPolicy'],
};

const unknownApi: AdmissionCheck = {
  id: 'unknown-api',
  severity: 'error',
  title: 'the control plane does not serve this kind in this version',
  help: 'kubectl finds no such kind: apiVersion or kind is misspelt, or this release of Karmada does not have the kind (ClusterTaintPolicy: since v1.14). Correct them, or name the target release of the manifest.',
  needs: ['ClusterTaintPolicy', 'Configuration'],
  find: ({ object, configuration: { rules }, meant = TAINT_POLICY }) => {
    const { apiVersion, kind } = object;
    const unserved = `no matches for kind "${kind}" in version "${apiVersion}"`;
    if (meant.instead)
      return [
        {
          code: 'unknown-api',
          message: `${unserved}; the group has ${meant.instead.join(', ')}`,
          field: 'kind',
        },
      ];
    const isKnown = apiTypes(rules).kinds.has(meant.kind) || Object.hasOwn(otherApiVersions, meant.kind);
    const wrong = (['apiVersion', 'kind'] as const).filter((field) => object[field] !== meant[field]);
    if (isKnown && wrong.length === 0) return [];
    const instead = isKnown
      ? `write ${wrong.map((field) => meant[field]).join(' and ')}`
      : 'Karmada has had the kind since v1.14';
    return [
      {
        code: 'unknown-api',
        message: `${unserved}; ${instead}`,
        field: wrong[0] === 'kind' ? 'kind' : 'apiVersion',
        ...(isKnown &&
          meant.certain && {
            fix: wrong.map((field) => replaced(field, meant[field])),
          }),
      },
    ];
  },
};

const unknownField: AdmissionCheck = {
  id: 'unknown-field',
  severity: 'error',
  title: 'the kind does not have this field',
  help: "The API server refuses fields that a kind does not have (strict field validation, kubectl's default); without it they are dropped silently. Correct the name: kubectl explain KIND --recursive lists the fields.",
  needs: ['ClusterTaintPolicy', 'Configuration'],
  find: ({ object, configuration: { rules }, meant = TAINT_POLICY }) => {
    const known = apiTypes(rules).kinds.get(meant.kind)?.schema;
    // In other kinds the status, which users do not write, has more fields than our schema.
    const { status: _, ...written } = object;
    const whole = known ?? wholeSchema(meant.apiVersion, meant.kind);
    const unknown = whole ? unknownFields(whole, known ? object : written) : [];
    return unknown.map((field) => ({
      code: 'unknown-field',
      message: `strict decoding error: unknown field "${field.path}"`,
      field: field.path,
      ...fixed(meantField(field)),
    }));
  },
};

export const objectName: AdmissionCheck = {
  id: 'object-name',
  severity: 'error',
  title: 'the object has no valid name',
  help: 'metadata.name (or its prefix metadata.generateName) must be a DNS subdomain: lower case letters, digits, - and ., at most 253 characters.',
  needs: ['ClusterTaintPolicy', 'Configuration'],
  find: ({ object }) =>
    nameErrors(object).map(({ message, field }) => ({ code: 'object-name', message, field })),
};

function nameErrors({ metadata }: JsonObject): FieldError[] {
  const { name, generateName } = isObject(metadata) ? metadata : {};
  const isNameless = name === undefined || name === null || name === '';
  if (isNameless && !isText(generateName))
    return [requiredValue('metadata.name', 'name or generateName is required')];
  const errors = (field: string, text: unknown, judged = text) =>
    isText(text) && isText(judged)
      ? dnsSubdomainErrors(judged).map((detail) => invalid(field, text, detail))
      : [];
  // A trailing dash is valid before further letters.
  const filled = isText(generateName) ? generateName.replace(/(?<=.)-$/, 'a') : undefined;
  return [...errors('metadata.generateName', generateName, filled), ...errors('metadata.name', name)];
}

export const crdSchema: AdmissionCheck = {
  id: 'crd-schema',
  severity: 'error',
  title: 'a field has a type or value that the schema does not allow',
  help: 'The API server validates every object against the CustomResourceDefinition of its Karmada version, and refuses an invalid one.',
  needs: ['ClusterTaintPolicy', 'Configuration'],
  find: (written) => refusedByServer(written).filter(({ code }) => code === 'crd-schema'),
};

const webhook: AdmissionCheck = {
  id: 'webhook',
  severity: 'error',
  title: "Karmada's webhook refuses the object",
  help: 'karmada-webhook refuses errors that the schema cannot express. Examples are application failover without propagateDeps, and an override with overriders of both forms. In a ClusterTaintPolicy it refuses a key and effect listed twice. It refuses NoExecute unless it runs with --allow-no-execute-taint-policy=true (then assume allow-no-execute-taint-policy=true).',
  needs: ['ClusterTaintPolicy', 'Configuration'],
  find: (written) => refusedByServer(written).filter(({ code }) => code === 'webhook'),
};

/** The API server's refusals by the schema, otherwise those of the webhook. */
function refusedByServer({ object, configuration, meant = TAINT_POLICY }: Written): Refused[] {
  const { metadata } = object;
  const namespace = isObject(metadata) ? metadata['namespace'] : undefined;
  const verdict = admitObject({
    kind: meant.kind,
    operation: 'CREATE',
    object,
    ...(isText(namespace) && !meant.kind.startsWith('Cluster') && { namespace }),
    ...admissionSettings(configuration),
    permanentId: simulatedId({ name: nameOf(object) }),
  });
  if (verdict.allowed) return [];
  const code = verdict.code === 422 ? 'crd-schema' : 'webhook';
  if (verdict.errors.length === 0) {
    const known = apiTypes(configuration.rules).kinds.get(meant.kind);
    const read = known ? decode(known.schema, object) : { value: object };
    const field = 'error' in read && verdict.message.includes(read.error) ? pathText(read.steps) : undefined;
    return [{ code, message: verdict.message, ...(field && { field }) }];
  }
  const errors = new Map(verdict.errors.map((error) => [error.message, error]));
  return [...errors.values()].map((error) => ({
    code,
    message: withoutSecrets(error).message,
    field: error.field,
    ...fixed(meantValue(error, object)),
  }));
}

const replaced = (path: string, value: unknown): DataChange => ({
  change: 'replace',
  path: stepsOf(path),
  value,
});

const fixed = (change: DataChange | undefined) => (change ? { fix: [change] } : {});

/**
 * The intended field: the only one with a similar name, if it is not present in any spelling, and accepts the value.
 */
function meantField({ name, value, path, steps, fields, beside }: UnknownField): DataChange | undefined {
  const free = Object.keys(fields).filter((one) => beside[one] === undefined);
  const meant = closestName(name, free);
  const field = meant === undefined ? undefined : fields[meant];
  if (meant === undefined || !field) return undefined;
  const unknown = Object.keys(beside).filter((one) => !Object.hasOwn(fields, one));
  if (unknown.some((one) => one !== name && closestName(one, free) === meant)) return undefined;
  const isFit = structuralErrors(field.schema, value, path, undefined, field).length === 0;
  return isFit ? { change: 'rename', path: steps, to: meant } : undefined;
}

/**
 * The value intended by a refused one: the only supported value that is similar, or has its meaning in this version.
 */
function meantValue({ field, badValue, supported }: FieldError, object: JsonObject): DataChange | undefined {
  if (field === 'spec.propagateDeps') {
    const { spec } = object;
    return isObject(spec) && 'propagateDeps' in spec
      ? replaced(field, true)
      : { change: 'addMember', path: ['spec'], name: 'propagateDeps', value: true };
  }
  if (!supported || typeof badValue !== 'string') return undefined;
  const names = renamedPurgeModes.find((both) => both.some((name) => name === badValue));
  const meant = names?.find((name) => supported.includes(name)) ?? closestName(badValue, supported);
  return meant === undefined ? undefined : replaced(field, meant);
}

/** Findings about ignore annotations of the object; run after all other checks. */
export const uselessIgnore: Check<'useless-ignore'> = {
  id: 'useless-ignore',
  severity: 'warning',
  title: 'an ignored rule has no finding here',
  help: 'The annotation karmada-failover/ignore.RULE, a comment or the settings ignore a rule. If the rule does not exist, has no finding or cannot be ignored, correct its name or remove the entry.',
  needs: ['ClusterTaintPolicy'],
};

export const duplicateObject: Check<'duplicate-object'> = {
  id: 'duplicate-object',
  severity: 'warning',
  title: 'an object appears twice in one text',
  help: 'kubectl apply writes both in turn, and the last one wins; kustomize refuses the text. Remove one of them. Duplicates across files, such as overlays, are fine.',
  needs: ['ClusterTaintPolicy'],
};

const otherFormCheck: AdmissionCheck = {
  id: 'other-form',
  severity: 'error',
  title: 'the policy is in the form of another control plane',
  help: 'The shipped form has targetClusters, addOnConditions, removeOnConditions and taints; the design Optimize Cluster Failover has targetCluster, matchConditions and taintsToAdd. The API server of one drops or refuses the fields of the other. `taint-policy convert` converts a policy and lists the changes.',
  needs: ['ClusterTaintPolicy', 'Configuration'],
  find: ({ object: { spec }, configuration: { rules }, meant = TAINT_POLICY }) => {
    if (meant.kind !== KIND) return [];
    const own = rules.api.taintPolicyForm === 'windows' ? 'proposed' : 'shipped';
    const other = otherForm(own);
    if (!isObject(spec) || !isWhollyOf(spec, other)) return [];
    return [
      {
        code: 'other-form',
        message: `the policy is in the ${other} form, and this version needs the ${own} one`,
        field: `spec.${Object.keys(spec)[0]!}`,
      },
    ];
  },
};

/** The checks of a ClusterTaintPolicy as written, in the order of lists of rules. */
export const admissionChecks: readonly Check[] = [
  unknownApi,
  unknownField,
  objectName,
  crdSchema,
  webhook,
  uselessIgnore,
  duplicateObject,
  otherFormCheck,
  unreadableDocument,
];

/** Refusals always count: no annotation makes an API server accept an invalid object. */
export const notIgnorable: ReadonlySet<string> = new Set(
  admissionChecks.filter((check) => check !== uselessIgnore && check !== duplicateObject).map(({ id }) => id),
);
