import iconv from 'iconv-lite';
import { Parser } from 'saxen';

/** Handlers for the parts of a document; names have no prefix. */
export interface XmlHandlers {
  open?(name: string, attributes: () => Readonly<Record<string, string>>): void;
  close?(name: string): void;
  /** A text between tags, which may come in several parts. */
  text?(text: string): void;
}

/** The document has a DOCTYPE, whose entities can grow without limit. */
export class DocumentType extends Error {
  override name = 'DocumentType';
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

const DECLARED = /^<\?xml\b[^>]*\bencoding=["']([\w-]+)["']/;

/** The text of an XML part: UTF-8 unless it declares another encoding. */
function decoded(part: Buffer): string {
  const [first, second] = part;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(part);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(part);
  const [, named = 'utf-8'] = DECLARED.exec(part.subarray(0, 200).toString('latin1')) ?? [];
  if (!/^utf-?8$/i.test(named) && iconv.encodingExists(named)) return iconv.decode(part, named);
  const text = new TextDecoder('utf-8').decode(part);
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const MAX_CODE_POINT = 0x10ffff;

/** A text with its references resolved, including characters beyond 16 bits. */
const resolved = (text: string): string =>
  text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi,
    (whole, hex?: string, digits?: string, name?: string) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16);
      return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : whole;
    },
  );

/** Reads an XML part from start to end. Throws an Error if it is not well-formed, DocumentType if it has a DOCTYPE. */
export function readXml(part: Buffer, handlers: XmlHandlers): void {
  const parser = new Parser();
  parser.on('attention', (text) => {
    if (/^<!doctype/i.test(text)) throw new DocumentType();
  });
  parser.on('openTag', (name, attributes) =>
    handlers.open?.(local(name), () => {
      const read: Record<string, string> = {};
      for (const [key, value] of Object.entries(attributes()))
        read[key] = value.includes('&') ? resolved(value) : value;
      return read;
    }),
  );
  parser.on('closeTag', (name) => handlers.close?.(local(name)));
  parser.on('text', (text) => handlers.text?.(text.includes('&') ? resolved(text) : text));
  parser.on('cdata', (text) => handlers.text?.(text));
  parser.parse(decoded(part));
}

/** `_x000D_` is how workbooks write characters that XML cannot contain; `_x005F_` is an underscore before such a text. */
export const withoutEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
