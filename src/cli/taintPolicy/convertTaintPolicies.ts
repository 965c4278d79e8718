import type { PolicyForm } from '../../analysis/taintPolicy/conversion/forms.ts';
import { presentableLines } from '../../presentation/presentable.ts';
import { writeSafeFile } from '../../state/output/safeFile.ts';
import { printError, printNote, printWarning } from '../../terminal/messages.ts';
import { writeToStdout } from '../../terminal/stdout.ts';
import { type ConvertedFiles, convertFiles } from '../../useCases/taintPolicy/conversion/convertFiles.ts';
import type { ConvertedText } from '../../useCases/taintPolicy/conversion/convertText.ts';
import { type ReportedRefusal, refusalLine } from '../../views/taintPolicy/riskWords.ts';
import {
  conversionLine,
  blockingCodes,
  taintPolicyConversion,
} from '../../views/taintPolicy/taintPolicyConversion.ts';
import { formatPlace } from '../../views/words/names.ts';
import { commandLine } from '../commandLine.ts';
import { UserError } from '../errors.ts';
import { EXIT_ANSWER_IS_FAILURE, EXIT_BAD_INPUT, EXIT_OK } from '../exitCodes.ts';
import type { GivenFlags } from '../givenFlags.ts';
import { print } from '../print.ts';
import type { convertFlags } from './changeFlags.ts';
import { noteReplaced } from '../noteReplaced.ts';

interface ConvertFlags extends GivenFlags<typeof convertFlags> {
  to: PolicyForm;
  /** the words after the command's name */
  typed: readonly string[];
}

/** Converts the ClusterTaintPolicies of files. Returns the exit code. */
export async function convertTaintPolicies(flags: ConvertFlags): Promise<number> {
  const { filename: files = [], kustomize: kustomizations = [], to, accept = [], out } = flags;
  const inPlace = flags['in-place'] ?? false;
  if (files.length + kustomizations.length === 0)
    throw new UserError('taint-policy convert needs manifests: give -f FILE, -f - or -k DIR');
  if (inPlace && out !== undefined)
    throw new UserError(
      '--in-place writes the files themselves, and --out another one; leave one of them out',
    );
  if (out === '-' && flags.output !== undefined)
    throw new UserError(
      `--out - prints the policies, and -o ${flags.output} a report; leave one of them out`,
    );
  const converted = await convertFiles({ files, kustomizations }, to, accept, () => process.stdin);
  for (const warning of converted.warnings) printWarning(warning);
  if (converted.invalid.length > 0) {
    for (const { place, message } of converted.invalid) printError(`${formatPlace(place)}: ${message}`);
    return EXIT_BAD_INPUT;
  }
  const refused = refusalOf(converted, flags.typed);
  const reports = inPlace || flags.output !== undefined || (out !== undefined && out !== '-');
  if (!reports) return printTexts(converted, refused);
  const changed = converted.texts.filter(({ before, after }) => before !== after);
  if (inPlace) refuseUnwritable(changed);
  const written = refused ? [] : await writeFiles(converted.texts, changed, { inPlace, out });
  const writes = inPlace || out !== undefined;
  await print(taintPolicyConversion({ ...converted, refused, ...(writes && { written }) }), flags);
  if (refused && flags.output !== undefined && flags.output !== 'wide')
    printError(`refused: ${refusalLine(refused)}`);
  return refused ? EXIT_ANSWER_IS_FAILURE : EXIT_OK;
}

/** Prints only the converted policies, for a pipe; findings go to stderr. */
async function printTexts(
  { texts, policies }: ConvertedFiles,
  refused: ReportedRefusal | undefined,
): Promise<number> {
  const say = { note: printNote, warning: printWarning, error: printError };
  for (const finding of policies.flatMap(({ findings }) => findings)) {
    const { severity, text } = conversionLine(finding);
    say[severity](text);
  }
  if (refused) {
    printError(`refused: ${refusalLine(refused)}`);
    return EXIT_ANSWER_IS_FAILURE;
  }
  const text = joinedTexts(texts.map(({ after }) => after));
  await writeToStdout(process.stdout.isTTY ? presentableLines(text) : text);
  return EXIT_OK;
}

/** The names of the written files. */
async function writeFiles(
  texts: readonly ConvertedText[],
  changed: readonly ConvertedText[],
  { inPlace, out }: { inPlace: boolean; out: string | undefined },
): Promise<string[]> {
  const options = { toStdout: writeToStdout, holdsState: false };
  if (out !== undefined) {
    if (await writeSafeFile(out, [joinedTexts(texts.map(({ after }) => after))], options)) noteReplaced(out);
    return [out];
  }
  if (!inPlace) return [];
  for (const { file, after } of changed) await writeSafeFile(file!, [after], options);
  return changed.map(({ file }) => file!);
}

/** Checks all files before writing the first, so that either all or none are written. */
function refuseUnwritable(changed: readonly ConvertedText[]): void {
  const unwritable = changed.find(({ file }) => file === undefined);
  if (unwritable)
    throw new UserError(
      `--in-place: ${unwritable.source} is not a plain file in UTF-8, so it cannot be edited; give --out FILE`,
    );
}

function refusalOf(
  { policies, refused }: ConvertedFiles,
  typed: readonly string[],
): ReportedRefusal | undefined {
  if (!refused) return undefined;
  const { codes, acceptable } = blockingCodes(policies);
  if (!acceptable) return { text: `${codes.join(', ')}: change the policies` };
  return {
    text: `${codes.join(', ')}: change the policies, or accept ${codes.length === 1 ? 'it' : 'them'} with`,
    flags: `--accept ${codes.join(',')}`,
    command: commandLine(['taint-policy', 'convert', ...typed, '--accept', codes.join(',')]),
  };
}

/** Manifests joined into one text, each a separate document; a single one stays unchanged, byte for byte. */
export function joinedTexts(texts: readonly string[]): string {
  return texts.reduce((all, text) => {
    if (all === '') return text;
    // inside a text, a byte order mark is just a character
    const next = text.replace(/^\ufeff/, '');
    return `${all.endsWith('\n') ? all : `${all}\n`}${/^(?:---(?:\s|$)|%)/.test(next) ? '' : '---\n'}${next}`;
  }, '');
}
