import { describe, expect, test } from '@jest/globals';
import { lintText } from './lintText.ts';

// karmada-webhook repeats whole overriders in its errors. Their values for Secrets stay hidden in lint's.

const OVERRIDE = `apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: tls, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: v1, kind: Secret, name: tls}]
  overriders:
    plaintext: [{path: /data/password, operator: add, value: hunter2}]
  overrideRules:
    - overriders:
        fieldOverrider:
          - fieldPath: /data/x
            json: [{subPath: /a, operator: add, value: hunter2}]
            yaml: [{subPath: /a, operator: remove, value: hunter2}]
`;

describe.each(['v1.15', 'v1.18'])('an override in Karmada %s', (version) => {
  test('is refused without printing the values that it writes into a Secret', async () => {
    const findings = await lintText(OVERRIDE, version);
    const messages = findings.map(({ message }) => message);
    expect(messages).toHaveLength(3);
    expect(messages.join('\n')).toContain("overrideRules and overriders can't co-exist");
    const inHex = [...Buffer.from('hunter2')].map((byte) => `0x${byte.toString(16)}`).join(', ');
    for (const secret of ['hunter2', inHex]) expect(messages.join('\n')).not.toContain(secret);
  });
});
