import { Composer, type Document, Lexer, LineCounter, type ParsedNode, Parser, type YAMLError } from 'yaml';
import { UnreadableTextError } from '../errors.ts';
import { type Position, positionIn } from '../position.ts';

/** The parser is recursive; no object is nested nearly this deep. */
const MAX_LEVELS = 200;
/**
 * The most tokens of one text, about 150,000 lines: more than is ever written, and each takes many times the memory
 * of its text.
 */
const MAX_TOKENS = 1_000_000;

/** The scope of an anchor or a directive within a text. */
export interface YamlPiece {
  text: string;
  /** its first line, from 1 */
  line: number;
}

/** A non-empty document. */
interface YamlDocument {
  contents: ParsedNode;
  /** the place of an offset in the piece */
  positionOf(offset: number): Position;
  /** throws an UnreadableTextError that names the place of an offset in the piece */
  fail(offset: number, message: string): never;
}

/** Counts tokens across all pieces of a text. */
interface TokenCount {
  tokens: number;
}

/**
 * The documents of a piece. Tokens and nesting are checked as they arrive, before nodes are built. Throws an
 * UnreadableTextError.
 *
 * @param keepTokens keeps each node's source tokens
 * @param lexer absent: a strict one, then a loose one if a quoted text does not end for the strict one
 */
export function* yamlDocuments(
  piece: YamlPiece,
  source: string,
  count: TokenCount,
  keepTokens = false,
  lexer = new Lexer(),
): Generator<YamlDocument> {
  const counter = new LineCounter();
  const positionOf = (offset: number): Position => {
    const { line, col } = counter.linePos(Math.min(offset, piece.text.trimEnd().length));
    return { line: piece.line + Math.max(line, 1) - 1, column: Math.max(col, 1) };
  };
  const fail = (offset: number, message: string): never => {
    throw new UnreadableTextError(source, message, positionOf(offset));
  };
  let given = 0;
  const begun = count.tokens;
  for (const document of parse(piece.text, counter, fail, count, keepTokens, lexer)) {
    const [error] = document.errors;
    if (error?.code === 'MISSING_CHAR' && !(lexer instanceof LooseLexer)) {
      // do not count the same text twice
      count.tokens = begun;
      const loose = attempt(() => [...yamlDocuments(piece, source, count, keepTokens, new LooseLexer())]);
      if (loose) return yield* loose.slice(given);
    }
    if (error) fail(error.pos[0], `not valid YAML: ${yamlReason(error)}`);
    const { contents } = document;
    if (contents === null || contents.range[0] === contents.range[1]) continue;
    given++;
    yield { contents, positionOf, fail };
  }
}

/** The result of an action; undefined if it encounters unreadable text. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof UnreadableTextError) return undefined;
    throw error;
  }
}

/** Continuation lines of quoted text may have any indentation, as for kubectl (libyaml): CRD generators wrote such. */
class LooseLexer extends Lexer {
  constructor() {
    super();
    const own = this as unknown as { indentNext: number; parseQuotedScalar(): Generator<string, unknown> };
    const quoted = own.parseQuotedScalar.bind(this);
    own.parseQuotedScalar = function* () {
      const { indentNext } = own;
      own.indentNext = 0;
      const next = yield* quoted();
      own.indentNext = indentNext;
      return next;
    };
  }
}

function* parse(
  text: string,
  counter: LineCounter,
  fail: YamlDocument['fail'],
  count: TokenCount,
  keepSourceTokens: boolean,
  lexer: Lexer,
): Generator<Document.Parsed> {
  counter.addNewLine(0);
  const parser = new Parser(counter.addNewLine);
  const composer = new Composer({
    schema: 'failsafe',
    uniqueKeys: false,
    resolveKnownTags: false,
    keepSourceTokens,
  });
  for (const lexeme of lexer.lex(text)) {
    if (++count.tokens > MAX_TOKENS)
      fail(parser.offset, 'more than about 150,000 lines; split it into several files');
    for (const token of parser.next(lexeme)) yield* composer.next(token);
    if (parser.stack.length > MAX_LEVELS)
      fail(parser.offset, `is nested more than ${MAX_LEVELS} levels deep; check the file`);
  }
  for (const token of parser.end()) yield* composer.next(token);
  yield* composer.end();
}

/** Splits a text before each line that begins with "---", like kubectl: anchors and directives end there. */
export function* piecesOf(text: string): Generator<YamlPiece> {
  let start = 0;
  let line = 1;
  for (const { index } of text.matchAll(/(?<![^\n])---(?=[ \t\r\n]|$)/g)) {
    const piece = text.slice(start, index);
    // directives precede the marker of their document
    if (piece === '' || (/^%/m.test(piece) && !/^[^%#\s]/m.test(piece))) continue;
    yield { text: piece, line };
    line = positionIn(text.slice(start, index), index - start, { line, column: 1 }).line;
    start = index;
  }
  yield { text: text.slice(start), line };
}

const REASONS: Partial<Record<string, string>> = {
  BAD_INDENT: 'the indentation does not fit, or a value needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'the indentation does not fit, or a value needs quotes',
  MULTILINE_IMPLICIT_KEY: 'a name without ":" after it',
  TAB_AS_INDENT: 'tabs cannot indent; use spaces',
  BAD_SCALAR_START: 'a value cannot begin with this character; put it in quotes',
  MULTIPLE_ANCHORS: 'two anchors (&name) on one value',
  MULTIPLE_TAGS: 'two tags (!name) on one value',
};

/** The error in a YAML text, in our own plain words where available. */
function yamlReason({ code, message }: YAMLError): string {
  if (code === 'MISSING_CHAR' && message.startsWith('Implicit map keys'))
    return 'a name without ":" after it';
  return REASONS[code] ?? message;
}
