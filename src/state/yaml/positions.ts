import { StateError, UnreadableTextError } from '../errors.ts';
import { stepsOf, type Path } from '../../kubernetes/fieldPath.ts';
import { JsonPlaces } from '../json/jsonPlaces.ts';
import { parseJsonText } from '../json/jsonProblem.ts';
import { repeatedNames, repeatedNameText } from '../json/repeatedNames.ts';
import { placeOf, positionIn, positionsIn, type Position } from '../position.ts';
import { placesInKubectlLayout, parseKubectlLayout } from './kubectlLayout.ts';
import { piecesOf, yamlDocuments, type YamlPiece } from './yamlDocuments.ts';
import { YamlValues } from './yamlValues.ts';

export interface PositionedDocument {
  /** as kubectl reads it: `yes` is true, 0777 is 511; aliases and `<<` are resolved */
  value: unknown;
  /**
   * The place of a field: of its name or list entry; if it is missing, of the nearest field that would contain it.
   * The path may be in message form (`spec.taints[0].key`) or in steps.
   */
  at(path: string | Path): Position;
}

interface PositionedText {
  /** the non-empty documents, in order */
  documents: PositionedDocument[];
  /** text that may not mean what its author intended: `file.yaml:3:5: …` */
  warnings: string[];
  /** the same as errors, with advice, for our own file formats, which allow no repeated names */
  mistakes: string[];
}

/** The most names that are reported; one is enough to show the problem. */
const MAX_REPORTED = 100;

/** Begins with "[" or "{", with its first name in double quotes. */
const LIKE_JSON = /^\s*(?:\{\s*(?:["}]|$)|\[)/;

/**
 * Reads hand-written files (policies, manifests, scenarios, configuration), YAML or JSON, and remembers all places.
 * Throws an UnreadableTextError if the text is neither, or has cyclic or excessively expanding aliases, numbers that
 * JSON cannot express, or far too deep nesting.
 *
 * @param skip receives the error of each unreadable document, which is then left out; absent: the first error is thrown
 */
export function readPositioned(
  text: string,
  source: string,
  skip?: (error: UnreadableTextError) => void,
): PositionedText {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (/^\s*[{[]/.test(plain)) {
    const json = parseJsonText(plain);
    if ('value' in json) {
      const positionOf = positionsIn(plain);
      const repeats = repeatedNames(plain, MAX_REPORTED).map(({ name, offset }) =>
        repeatText(source, positionOf(offset), name),
      );
      return { documents: [ofJson(plain, json.value)], ...repeatTexts(repeats) };
    }
    // it may still be YAML, which has braces too
    if (LIKE_JSON.test(plain))
      try {
        return readYamlText(plain, source);
      } catch (error) {
        if (!(error instanceof UnreadableTextError)) throw error;
        const place = positionIn(plain, json.offset);
        const unreadable = new UnreadableTextError(source, `not valid JSON: ${json.problem}`, place);
        if (!skip) throw unreadable;
        skip(unreadable);
        return { documents: [], warnings: [], mistakes: [] };
      }
  }
  return readYamlText(plain, source, skip);
}

/**
 * The only document of a file in one of our formats (a scenario, a list of patches), which allow no repeated names.
 * Throws a StateError like `readPositioned`.
 */
export function readOneDocument(text: string, source: string): PositionedDocument {
  const { documents, mistakes } = readPositioned(text, source);
  const [document, second] = documents;
  if (!document)
    throw new StateError(`${source}: is empty, or holds only comments; check the path, or write it`);
  if (second)
    throw new StateError(`${placeOf(source, second.at(''))}: a second document begins here; give one`);
  const [mistake] = mistakes;
  if (mistake) throw new StateError(mistake);
  return document;
}

function repeatText(source: string, place: Position, name: string): string {
  return `${placeOf(source, place)}: ${repeatedNameText(name)}`;
}

function repeatTexts(repeats: readonly string[]): Pick<PositionedText, 'warnings' | 'mistakes'> {
  return {
    warnings: repeats.map((repeat) => `${repeat}; the last one counts, as for kubectl`),
    mistakes: repeats.map((repeat) => `${repeat}; keep one of them`),
  };
}

function ofJson(text: string, value: unknown): PositionedDocument {
  const places = new JsonPlaces(text);
  const positionOf = positionsIn(text);
  return {
    value,
    at: (path) => positionOf(places.offsetOf(typeof path === 'string' ? stepsOf(path) : path)),
  };
}

function readYamlText(
  text: string,
  source: string,
  skip?: (error: UnreadableTextError) => void,
): PositionedText {
  const documents: PositionedDocument[] = [];
  const repeats: string[] = [];
  const count = { tokens: 0 };
  for (const piece of piecesOf(text)) {
    const fast = fastDocument(piece);
    if (fast) documents.push(fast);
    else
      try {
        documents.push(...placedDocuments(piece, source, count, repeats));
      } catch (error) {
        if (!skip || !(error instanceof UnreadableTextError)) throw error;
        skip(error);
      }
  }
  return { documents, ...repeatTexts(repeats) };
}

function placedDocuments(
  piece: YamlPiece,
  source: string,
  count: { tokens: number },
  repeats: string[],
): PositionedDocument[] {
  return [...yamlDocuments(piece, source, count)].map(({ contents, positionOf, fail }) => {
    const values = new YamlValues(fail, (offset, name) => {
      if (repeats.length < MAX_REPORTED) repeats.push(repeatText(source, positionOf(offset), name));
    });
    return {
      value: values.valueOf(contents),
      at: (path) => positionOf(values.offsetOf(contents, typeof path === 'string' ? stepsOf(path) : path)),
    };
  });
}

/** A piece that is one document in the most common layout; undefined if it is written otherwise. */
function fastDocument({ text, line }: YamlPiece): PositionedDocument | undefined {
  const marker = /^---[ \t]*\n/.exec(text)?.[0].length ?? 0;
  const content = text.slice(marker);
  const value = parseKubectlLayout(content);
  if (value === undefined) return undefined;
  const offsetOf = placesInKubectlLayout(content);
  const positionOf = positionsIn(text);
  return {
    value,
    at(path) {
      const place = positionOf(marker + offsetOf(typeof path === 'string' ? stepsOf(path) : path));
      return { ...place, line: line + place.line - 1 };
    },
  };
}
