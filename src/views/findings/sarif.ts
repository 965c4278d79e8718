import { redactedJson } from '../../kubernetes/redaction/redactedData.ts';
import { uriPart } from '../../kubernetes/escaping.ts';
import { visibleJson } from '../../presentation/visible.ts';
import type { Finding, FindingRule } from '../../analysis/findings/finding.ts';

/** The schema published by OASIS; code scanning viewers expect this address. */
const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

interface SarifInput {
  findings: readonly Finding[];
  rules: readonly FindingRule[];
  version: string;
}

/**
 * Findings as SARIF 2.1.0, with `results: []` if there are none: otherwise a viewer keeps the old ones. Fingerprints consist of rule,
 * object with its namespace, and field, so that a finding keeps its identity when its line moves.
 */
export function sarif({ findings, rules, version }: SarifInput): string {
  const index = new Map(rules.map(({ id }, at) => [id, at]));
  const seen = new Map<string, number>();
  const run = {
    tool: {
      driver: {
        name: 'kubectl-karmada-failover',
        version,
        rules: rules.map(({ id, title, help }) => ({
          id,
          shortDescription: { text: title },
          fullDescription: { text: help },
          help: { text: help },
        })),
      },
    },
    columnKind: 'utf16CodeUnits',
    results: findings.map((finding) => {
      const { rule, severity, message, object, field, place, ignored } = finding;
      const namespaced = object && [object.namespace, object.name].filter((part) => part).join('/');
      const identity = [rule, object?.kind ?? '', namespaced ?? place.file, field ?? ''].join('|');
      const occurrence = (seen.get(identity) ?? 0) + 1;
      seen.set(identity, occurrence);
      return {
        ruleId: rule,
        ruleIndex: index.get(rule) ?? -1,
        level: severity,
        message: { text: message },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: uriOf(place.file) },
              region: { startLine: place.line, startColumn: place.column },
            },
            ...(object && {
              logicalLocations: [
                {
                  name: object.name,
                  kind: 'object',
                  fullyQualifiedName: `${object.kind}/${namespaced}${field === undefined ? '' : `/${field}`}`,
                },
              ],
            }),
          },
        ],
        partialFingerprints: { 'ruleObjectField/v2': `${identity}:${occurrence}` },
        suppressions: ignored
          ? [{ kind: 'inSource', status: 'accepted', justification: ignored.reason }]
          : [],
      };
    }),
  };
  return `${visibleJson(redactedJson({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, 2))}\n`;
}

/** A path relative to the working directory stays relative: viewers resolve it there. */
function uriOf(file: string): string {
  const path = file.split('/').map(uriPart).join('/');
  return path.startsWith('/') ? `file://${path}` : path;
}
