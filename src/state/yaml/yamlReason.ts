import type { YAMLError } from 'yaml';

const REASONS: Partial<Record<string, string>> = {
  BAD_INDENT: 'the indentation does not fit, or a value needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'the indentation does not fit, or a value needs quotes',
  MULTILINE_IMPLICIT_KEY: 'a name without ":" behind it',
  TAB_AS_INDENT: 'tabs cannot indent; use spaces',
  BAD_SCALAR_START: 'a value cannot begin with this character; put it in quotes',
  MULTIPLE_ANCHORS: 'two anchors (&name) at one value',
  MULTIPLE_TAGS: 'two tags (!name) at one value',
};

/** What is wrong with a YAML text, in plain words if we have any. */
export function yamlReason({ code, message }: YAMLError): string {
  if (code === 'MISSING_CHAR' && message.startsWith('Implicit map keys'))
    return 'a name without ":" behind it';
  return REASONS[code] ?? message;
}
