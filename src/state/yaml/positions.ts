import { Composer, Lexer, LineCounter, Parser } from 'yaml';
import type { Document } from 'yaml';
import { StateError } from '../errors.ts';
import { stepsOf, type Path } from '../fieldPath.ts';
import { jsonOffset } from '../json/jsonOffset.ts';
import { parseJsonText } from '../json/positionedJson.ts';
import { placeOf, positionIn, type Position } from '../position.ts';
import { yamlReason } from './yamlReason.ts';
import { YamlValues } from './yamlValues.ts';

/** One document of a file. */
export interface PositionedDocument {
  /** as kubectl reads it: `yes` is true, 0777 is 511; aliases and `<<` are resolved */
  value: unknown;
  /**
   * Where a field is: its name, or the entry of a list; if it is not there, the nearest field that would hold it. The path may be as
   * messages show it (`spec.taints[0].key`) or in steps.
   */
  at(path: string | Path): Position;
}

export interface PositionedText {
  /** the documents that are not empty, in their order */
  documents: PositionedDocument[];
  /** what may not mean what its author thinks: `file.yaml:3:5: …` */
  warnings: string[];
}

/** The parser is recursive; no object is nested nearly as deep. */
const MOST_LEVELS = 200;
/** Tokens of one file, about 150,000 lines: nobody writes more, and each takes many times the memory of its text. */
const MOST_TOKENS = 1_000_000;

/** Begins with "[" or with "{", and has its first name in double quotes. */
const LIKE_JSON = /^\s*(?:\{\s*(?:["}]|$)|\[)/;

/** What ends reading: where, and why. */
type Fail = (offset: number, message: string) => never;

/**
 * Reads what people write (policies, manifests, scenarios, configuration), YAML or JSON, and remembers where everything is. Throws a
 * StateError `source:line:column: …` if the text is neither, or holds what nobody writes: aliases in a circle or multiplied beyond
 * measure, numbers that JSON cannot express, endless nesting.
 */
export function readPositioned(text: string, source: string): PositionedText {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (/^\s*[{[]/.test(plain)) {
    const json = parseJsonText(plain);
    if ('value' in json) return { documents: [ofJson(plain, json.value)], warnings: [] };
    // it may still be YAML, which has braces too
    try {
      return readYamlText(plain, source);
    } catch (error) {
      if (!(error instanceof StateError) || !LIKE_JSON.test(plain)) throw error;
      const place = placeOf(source, positionIn(plain, json.offset));
      throw new StateError(`${place}: not valid JSON: ${json.problem}`);
    }
  }
  return readYamlText(plain, source);
}

/**
 * The only document of a file of ours (a scenario, a list of patches), in which no name may be there twice. Throws a StateError as
 * `readPositioned` does.
 */
export function readOneDocument(text: string, source: string): PositionedDocument {
  const { documents, warnings } = readPositioned(text, source);
  const [document, second] = documents;
  if (!document)
    throw new StateError(`${source}: is empty, or holds comments alone; check the path, or write it`);
  if (second)
    throw new StateError(`${placeOf(source, second.at(''))}: a second document begins here; give one`);
  if (warnings.length > 0) throw new StateError(warnings[0]!);
  return document;
}

function ofJson(text: string, value: unknown): PositionedDocument {
  return {
    value,
    at: (path) => positionIn(text, jsonOffset(text, typeof path === 'string' ? stepsOf(path) : path)),
  };
}

function readYamlText(text: string, source: string): PositionedText {
  const documents: PositionedDocument[] = [];
  const warnings: string[] = [];
  let tokens = 0;
  for (const piece of piecesOf(text)) {
    const counter = new LineCounter();
    const positionOf = (offset: number): Position => {
      const { line, col } = counter.linePos(Math.min(offset, piece.text.trimEnd().length));
      return { line: piece.line + Math.max(line, 1) - 1, column: Math.max(col, 1) };
    };
    const fail: Fail = (offset, message) => {
      throw new StateError(`${placeOf(source, positionOf(offset))}: ${message}`);
    };
    const warn = (offset: number, message: string) =>
      void warnings.push(`${placeOf(source, positionOf(offset))}: ${message}`);
    const count = (offset: number) => {
      if (++tokens > MOST_TOKENS) fail(offset, 'more than 150,000 lines or so; cut the file into several');
    };
    for (const document of parse(piece.text, counter, fail, count)) {
      const [error] = document.errors;
      if (error) fail(error.pos[0], `not valid YAML: ${yamlReason(error)}`);
      const { contents } = document;
      if (contents === null || contents.range![0] === contents.range![1]) continue;
      const values = new YamlValues(fail, warn);
      documents.push({
        value: values.valueOf(contents),
        at: (path) => positionOf(values.offsetOf(contents, typeof path === 'string' ? stepsOf(path) : path)),
      });
    }
  }
  return { documents, warnings };
}

/** The documents of a text. Tokens and nesting are checked as they come, before anything is made of them. */
function* parse(
  text: string,
  counter: LineCounter,
  fail: Fail,
  count: (offset: number) => void,
): Generator<Document.Parsed> {
  counter.addNewLine(0);
  const parser = new Parser(counter.addNewLine);
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, resolveKnownTags: false });
  for (const lexeme of new Lexer().lex(text)) {
    count(parser.offset);
    for (const token of parser.next(lexeme)) yield* composer.next(token);
    if (parser.stack.length > MOST_LEVELS) fail(parser.offset, `more than ${MOST_LEVELS} levels deep`);
  }
  for (const token of parser.end()) yield* composer.next(token);
  yield* composer.end();
}

/** Cuts a text before each line that begins with "---", as kubectl does: anchors and directives belong to one document. */
function* piecesOf(text: string): Generator<{ text: string; line: number }> {
  let start = 0;
  let line = 1;
  for (const { index } of text.matchAll(/(?<![^\n])---(?=[ \t\r\n]|$)/g)) {
    const piece = text.slice(start, index);
    // directives stand before the marker of their document
    if (piece === '' || (/^%/m.test(piece) && !/^[^%#\s]/m.test(piece))) continue;
    yield { text: piece, line };
    line = positionIn(text.slice(start, index), index - start, { line, column: 1 }).line;
    start = index;
  }
  yield { text: text.slice(start), line };
}
