import { Parser } from 'saxen';

/** What is done with the parts of a document; names are without their prefix. */
export interface XmlHandlers {
  open?(name: string, attributes: () => Readonly<Record<string, string>>): void;
  close?(name: string): void;
  /** A text between tags, which may come in several parts. */
  text?(text: string): void;
}

/** A document has a document type, whose entities can grow without limit. */
export class DocumentType extends Error {
  override name = 'DocumentType';
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The text of an XML part: UTF-8 unless its first bytes say otherwise. */
function decoded(part: Buffer): string {
  const [first, second] = part;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(part);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(part);
  const text = new TextDecoder('utf-8').decode(part);
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Reads an XML part from start to end. Throws an Error where it is not well-formed, DocumentType for a document type. */
export function readXml(part: Buffer, handlers: XmlHandlers): void {
  const parser = new Parser();
  parser.on('attention', (text) => {
    if (/^<!doctype/i.test(text)) throw new DocumentType();
  });
  parser.on('openTag', (name, attributes, decode) =>
    handlers.open?.(local(name), () => {
      const read: Record<string, string> = {};
      for (const [key, value] of Object.entries(attributes())) read[key] = value.includes('&') ? decode(value) : value;
      return read;
    }),
  );
  parser.on('closeTag', (name) => handlers.close?.(local(name)));
  parser.on('text', (text, decode) => handlers.text?.(text.includes('&') ? decode(text) : text));
  parser.on('cdata', (text) => handlers.text?.(text));
  parser.parse(decoded(part));
}

/** `_x000D_` is how workbooks write characters that XML cannot hold; `_x005F_` is an underscore before such a text. */
export const withoutEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
