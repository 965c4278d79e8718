// Go strings are bytes, mostly UTF-8. A byte that is not part of valid UTF-8 (a "\xff" in a template) becomes the lone
// surrogate U+DC00 + byte, which no well-formed text contains.

const RAW_BYTE = 0xdc00;
const REPLACEMENT = 0xfffd;

/** One byte of a Go string that may not be UTF-8, as represented in a JavaScript string. */
export function rawByte(byte: number): string {
  return String.fromCharCode(byte < 0x80 ? byte : RAW_BYTE + byte);
}

/** The code point at a position in a text. */
export function codePointAt(text: string, at = 0): number {
  return text.codePointAt(at)!;
}

/** The character at a position in a text: one or two units of UTF-16. */
export function characterAt(text: string, at: number): string {
  return String.fromCodePoint(codePointAt(text, at));
}

/** The bytes of a Go string in this representation. */
export function utf8Bytes(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const code = codePointAt(character);
    if (code < 0x80) bytes.push(code);
    else if (code >= RAW_BYTE + 0x80 && code <= RAW_BYTE + 0xff) bytes.push(code - RAW_BYTE);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 0x3f));
    else if (code < 0x10000)
      bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
    else
      bytes.push(
        0xf0 | (code >> 18),
        0x80 | ((code >> 12) & 0x3f),
        0x80 | ((code >> 6) & 0x3f),
        0x80 | (code & 0x3f),
      );
  }
  return bytes;
}

/** The number of those bytes, counted without listing them: untrusted texts may have millions of characters. */
export function utf8Length(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = codePointAt(text, at);
    if (code < 0x80 || (code >= RAW_BYTE + 0x80 && code <= RAW_BYTE + 0xff)) length += 1;
    else if (code < 0x800) length += 2;
    else if (code < 0x10000) length += 3;
    else {
      length += 4;
      at++;
    }
  }
  return length;
}

/**
 * The text after Go has written it as JSON: raw bytes that together form UTF-8 become their character, all others
 * become U+FFFD.
 */
export function decodeRawBytes(text: string): string {
  if (!/\p{Surrogate}/u.test(text)) return text;
  const bytes = utf8Bytes(text);
  let out = '';
  for (let at = 0; at < bytes.length;) {
    const [code, width] = decodeRune(bytes, at);
    out += String.fromCodePoint(code);
    at += width;
  }
  return out;
}

// unicode/utf8 DecodeRune: anything invalid takes one byte.
function decodeRune(bytes: number[], at: number): [code: number, width: number] {
  const first = bytes[at]!;
  if (first < 0x80) return [first, 1];
  const width = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return [REPLACEMENT, 1];
  let code = first & (0xff >> (width + 1));
  for (let next = 1; next < width; next++) {
    const byte = bytes[at + next];
    if (byte === undefined || (byte & 0xc0) !== 0x80) return [REPLACEMENT, 1];
    code = (code << 6) | (byte & 0x3f);
  }
  const smallest = width === 2 ? 0x80 : width === 3 ? 0x800 : 0x10000;
  const surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < smallest || surrogate || code > 0x10ffff ? [REPLACEMENT, 1] : [code, width];
}

/** Sorts texts as Go sorts strings: by UTF-8 bytes, which is the order of code points. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (x === y) continue;
    // UTF-16 sorts surrogates (code points from U+10000) before U+E000 to U+FFFF.
    const [xSurrogate, ySurrogate] = [x >= 0xd800 && x <= 0xdfff, y >= 0xd800 && y <= 0xdfff];
    if (xSurrogate !== ySurrogate && (xSurrogate ? y : x) >= 0xe000) return xSurrogate ? 1 : -1;
    return x - y;
  }
  return a.length - b.length;
}
