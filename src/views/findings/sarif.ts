import { redactedJson } from '../../kubernetes/redacted.ts';
import { visibleJson } from '../../presentation/visible.ts';
import type { Finding, FindingRule } from '../../engine/finding.ts';

/** As OASIS publishes it; what shows code scanning results asks for it by this address. */
const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

export interface SarifInput {
  findings: readonly Finding[];
  rules: readonly FindingRule[];
  version: string;
}

/**
 * Findings as SARIF 2.1.0, with `results: []` if there are none: a viewer that gets no results keeps the old ones. Fingerprints go by
 * rule, object and field, so that lines that move make no new finding.
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
      const identity = [rule, object?.kind ?? '', object?.name ?? place.file, field ?? ''].join('|');
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
            ...(object
              ? {
                  logicalLocations: [
                    {
                      name: object.name,
                      kind: 'object',
                      fullyQualifiedName: `${object.kind}/${object.name}${field === undefined ? '' : `/${field}`}`,
                    },
                  ],
                }
              : {}),
          },
        ],
        partialFingerprints: { 'ruleObjectField/v1': `${identity}:${occurrence}` },
        suppressions: ignored
          ? [{ kind: 'inSource', status: 'accepted', justification: ignored.reason }]
          : [],
      };
    }),
  };
  return `${visibleJson(redactedJson({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, 2))}\n`;
}

/** A path relative to where it was run stays relative: that is where a viewer looks for it. */
function uriOf(file: string): string {
  const path = file.split('/').map(encodeURIComponent).join('/');
  return path.startsWith('/') ? `file://${path}` : path;
}
