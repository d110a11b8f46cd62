/** The smallest ZIP that a vendor's archive tool would make: deflated entries, GBK names, central directory. */
import { crc32, deflateRawSync } from 'node:zlib';
import iconv from 'iconv-lite';

function header(signature: number, name: Buffer, packed: Buffer, body: Buffer, middle: number[]): Buffer {
  const fields = Buffer.alloc(middle.length === 0 ? 30 : 46);
  fields.writeUInt32LE(signature, 0);
  const at = middle.length === 0 ? 4 : 6;
  if (at === 6) fields.writeUInt16LE(20, 4);
  fields.writeUInt16LE(20, at);
  fields.writeUInt16LE(8, at + 4);
  fields.writeUInt32LE(crc32(body), at + 10);
  fields.writeUInt32LE(packed.length, at + 14);
  fields.writeUInt32LE(body.length, at + 18);
  fields.writeUInt16LE(name.length, at + 22);
  if (middle[0] !== undefined) fields.writeUInt32LE(middle[0], 42);
  return fields;
}

/** Packs files. */
export function zipOf(files: readonly { name: string; body: Buffer }[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, body } of files) {
    const label = iconv.encode(name, 'gbk');
    const packed = deflateRawSync(body);
    const local = Buffer.concat([header(0x04034b50, label, packed, body, []), label, packed]);
    directory.push(header(0x02014b50, label, packed, body, [offset]), label);
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}
