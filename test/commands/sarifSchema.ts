import { Ajv } from 'ajv';

const text = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: { text: { type: 'string', minLength: 1 } },
};
const index = { type: 'integer', minimum: -1 };
const position = { type: 'integer', minimum: 1 };
const closed = (required: string[], properties: object) => ({
  type: 'object',
  required,
  additionalProperties: false,
  properties,
});
const list = (items: object) => ({ type: 'array', items });

/** The parts of the JSON schema of SARIF 2.1.0 that apply to our output: names, types and enumerations from OASIS. */
const schema = closed(['version', 'runs'], {
  $schema: { type: 'string', pattern: '^https://docs\\.oasis-open\\.org/sarif/sarif/v2\\.1\\.0/' },
  version: { const: '2.1.0' },
  runs: list(
    closed(['tool', 'results'], {
      tool: closed(['driver'], {
        driver: closed(['name'], {
          name: { type: 'string', minLength: 1 },
          version: { type: 'string', minLength: 1 },
          rules: {
            ...list(
              closed(['id'], {
                id: { type: 'string', minLength: 1 },
                shortDescription: text,
                fullDescription: text,
                help: text,
              }),
            ),
            uniqueItems: true,
          },
        }),
      }),
      columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
      results: list(
        closed(['message'], {
          ruleId: { type: 'string', minLength: 1 },
          ruleIndex: index,
          level: { enum: ['none', 'note', 'warning', 'error'] },
          message: text,
          locations: list(
            closed([], {
              physicalLocation: closed(['artifactLocation'], {
                artifactLocation: closed([], { uri: { type: 'string', pattern: '^[^\\s\\\\]+$' } }),
                region: closed([], { startLine: position, startColumn: position }),
              }),
              logicalLocations: list(
                closed([], {
                  name: { type: 'string' },
                  kind: { type: 'string' },
                  fullyQualifiedName: { type: 'string' },
                }),
              ),
            }),
          ),
          partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } },
          suppressions: list(
            closed(['kind'], {
              kind: { enum: ['inSource', 'external'] },
              status: { enum: ['accepted', 'underReview', 'rejected'] },
              justification: { type: 'string' },
            }),
          ),
        }),
      ),
    }),
  ),
});

const ajv = new Ajv({ allErrors: true });
const validate = ajv.compile(schema);

/** A log's violations of SARIF 2.1.0, as text; empty if there are none. */
export function sarifBreaches(log: unknown): string {
  return validate(log) ? '' : ajv.errorsText(validate.errors);
}
