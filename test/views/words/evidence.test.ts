import { expect, test } from '@jest/globals';
import { wordsText } from '../../../src/presentation/text/renderText.ts';
import { plainStyle } from '../../../src/presentation/text/style.ts';
import { evidenceWords } from '../../../src/views/words/evidence.ts';

test('a truncated value masks a secret at its end', () => {
  const value = `${'x'.repeat(90)} https://anna:hunter2${'3'.repeat(60)}@wiki`;
  const shown = wordsText(evidenceWords({ rule: 'seen', field: 'status', value }, undefined), plainStyle);
  expect(shown).toContain('https://***@wiki');
  expect(shown).not.toContain('hunter2');
});
