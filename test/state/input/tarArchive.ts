/** A ustar archive of the files given; long paths as GNU tar writes them. */
export function tar(files: [path: string, content: string | Buffer][]): Buffer {
  const blocks: Buffer[] = [];
  for (const [path, content] of files) {
    if (path.length > 100) add('././@LongLink', Buffer.from(`${path}\0`), 'L');
    add(path.slice(0, 100), Buffer.from(content as string), '0');
  }
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);

  function add(path: string, content: Buffer, type: string): void {
    const header = Buffer.alloc(512);
    header.write(path, 0);
    header.write('0000644\0', 100);
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('        ', 148);
    header.write(type, 156);
    header.write('ustar\0', 257, 'latin1');
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    blocks.push(header, content, Buffer.alloc((512 - (content.length % 512)) % 512));
  }
}
