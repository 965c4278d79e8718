// Signs an executable of macOS with hashes only, as linkers do. Bun signs what it compiles for arm64; for amd64 it leaves the signature of
// its own executable, whose hashes no longer fit, and macOS kills a process whose pages differ from the signed ones.
//
// The format: mach-o/loader.h and cs_blobs.h of macOS. The file is little-endian, the signature big-endian.
import { createHash } from 'node:crypto';

const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;
const CS_ADHOC_AND_LINKER_SIGNED = 0x20002;
const CS_EXECSEG_MAIN_BINARY = 1n;
const PAGE = 4096;
/** The page size; arm64 has the larger pages. */
const MAPPED = 16384;

const aligned = (size, to) => Math.ceil(size / to) * to;

/** The load commands that affect a signature: where each begins in the file. */
function loadCommands(file) {
  const found = {};
  let at = 32;
  for (let count = file.readUInt32LE(16); count > 0; count -= 1) {
    const command = file.readUInt32LE(at);
    if (command === LC_CODE_SIGNATURE) found.signature = at;
    if (command === LC_SEGMENT_64) found[file.toString('latin1', at + 8, at + 24).replaceAll('\0', '')] = at;
    at += file.readUInt32LE(at + 4);
  }
  return found;
}

/**
 * @param {Buffer} file a signed 64-bit executable, whose signature the new one replaces
 * @param {string} identifier the name that macOS shows
 * @returns {Buffer}
 */
export function signedAdHoc(file, identifier) {
  const { signature, __TEXT: text, __LINKEDIT: linkEdit } = loadCommands(file);
  const limit = file.readUInt32LE(signature + 8);
  const pages = Math.ceil(limit / PAGE);
  const header = 88;
  const hashes = header + identifier.length + 1;
  const directory = Buffer.alloc(hashes + pages * 32);
  const blob = Buffer.alloc(20);
  const size = aligned(blob.length + directory.length, 16);

  const code = Buffer.from(file.subarray(0, limit));
  code.writeUInt32LE(size, signature + 12);
  const linked = limit + size - Number(code.readBigUInt64LE(linkEdit + 40));
  code.writeBigUInt64LE(BigInt(aligned(linked, MAPPED)), linkEdit + 32);
  code.writeBigUInt64LE(BigInt(linked), linkEdit + 48);

  // a superblob with one blob: the code directory
  [0xfade0cc0, blob.length + directory.length, 1, 0, blob.length].forEach((word, index) =>
    blob.writeUInt32BE(word, index * 4),
  );
  [
    0xfade0c02,
    directory.length,
    0x20400,
    CS_ADHOC_AND_LINKER_SIGNED,
    hashes,
    header,
    0, // no special slots
    pages,
    limit,
    0x20020000 + Math.log2(PAGE), // SHA-256, of 32 bytes
  ].forEach((word, index) => directory.writeUInt32BE(word, index * 4));
  directory.writeBigUInt64BE(code.readBigUInt64LE(text + 40), 64);
  directory.writeBigUInt64BE(code.readBigUInt64LE(text + 48), 72);
  directory.writeBigUInt64BE(CS_EXECSEG_MAIN_BINARY, 80);
  directory.write(`${identifier}\0`, header, 'latin1');
  for (let page = 0; page < pages; page += 1)
    createHash('sha256')
      .update(code.subarray(page * PAGE, Math.min((page + 1) * PAGE, limit)))
      .digest()
      .copy(directory, hashes + page * 32);

  return Buffer.concat([code, blob, directory], limit + size);
}
