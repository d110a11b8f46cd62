/** The parts of a workbook besides its sheets (ECMA-376, transitional and strict): their locations, and what cells refer to. */
import type { Archive } from '#server/kernel/unzip.ts';
import { refuse } from '../files/table-limits.ts';
import { type NumberFormat, numberFormat } from './formats.ts';
import { readXml, withoutEscapes } from './xml.ts';

export interface Sheet {
  name: string;
  isHidden: boolean;
  /** Name of its part in the archive. */
  part: string;
}

export interface Workbook {
  sheets: Sheet[];
  is1904: boolean;
  /** The format of each cell style. */
  formats: readonly NumberFormat[];
  /** Texts that cells refer to by number. */
  shared: readonly string[];
}

interface Relation {
  type: string;
  target: string;
}

const lower = (name: string): string =>
  name
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .toLowerCase();

/** The file of an archive by name, ignoring case and with either slash, because writers differ in both. */
function findPart(archive: Archive, path: string): string | undefined {
  const wanted = lower(path);
  return archive.names.find((name) => lower(name) === wanted);
}

/** The path of a relation's target, which is absolute or starts at the folder of its source. */
function resolved(source: string, target: string): string {
  const path = target.replaceAll('\\', '/');
  let plain = path;
  try {
    plain = decodeURIComponent(path);
  } catch {
    // A percent sign that encodes nothing is part of the name.
  }
  const steps = plain.startsWith('/') ? [] : lower(source).split('/').slice(0, -1);
  for (const step of plain.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}

/** The relations of a part by id; empty if it has no relations file. */
function relationsOf(archive: Archive, part: string): Map<string, Relation> {
  const path = part.replaceAll('\\', '/');
  const at = path.lastIndexOf('/') + 1;
  const name = findPart(archive, `${path.slice(0, at)}_rels/${path.slice(at)}.rels`);
  const relations = new Map<string, Relation>();
  if (name === undefined) return relations;
  readXml(archive.read(name), {
    open: (tag, attributes) => {
      if (tag !== 'Relationship') return;
      const { Id = '', Type = '', Target = '', TargetMode } = attributes();
      if (TargetMode !== 'External')
        relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target: resolved(part, Target) });
    },
  });
  return relations;
}

const firstOf = (relations: ReadonlyMap<string, Relation>, type: string): string | undefined =>
  [...relations.values()].find((relation) => relation.type === type)?.target;

/** The name of the workbook's main part; undefined if the archive is not a workbook. */
export function workbookPart(archive: Archive): string | undefined {
  const target = firstOf(relationsOf(archive, ''), 'officeDocument');
  const named = target === undefined ? undefined : findPart(archive, target);
  if (named !== undefined) return /\.xml$/i.test(named) ? named : undefined;
  return archive.names.find((name) => /(?:^|\/)workbook\.xml$/.test(lower(name)));
}

function formatsOf(part: Buffer): NumberFormat[] {
  const codes = new Map<number, string>();
  const formats: NumberFormat[] = [];
  let isInCellFormats = false;
  readXml(part, {
    open: (name, attributes) => {
      if (name === 'numFmt') {
        const { numFmtId, formatCode } = attributes();
        if (formatCode !== undefined) codes.set(Number(numFmtId), formatCode);
      } else if (name === 'cellXfs') isInCellFormats = true;
      else if (name === 'xf' && isInCellFormats) {
        const id = Number(attributes().numFmtId ?? 0);
        formats.push(numberFormat(id, codes.get(id)));
      }
    },
    close: (name) => {
      if (name === 'cellXfs') isInCellFormats = false;
    },
  });
  return formats;
}

/** Shared texts: plain or of several formatted parts; pronunciation (rPh) is not part of the text. */
function sharedTexts(part: Buffer): string[] {
  const texts: string[] = [];
  let current: string[] | undefined;
  let isText = false;
  let phonetic = 0;
  readXml(part, {
    open: (name) => {
      if (name === 'si') current = [];
      else if (name === 'rPh') phonetic += 1;
      else if (name === 't') isText = phonetic === 0;
    },
    close: (name) => {
      if (name === 'si') {
        texts.push(withoutEscapes((current ?? []).join('')));
        current = undefined;
      } else if (name === 'rPh') phonetic -= 1;
      else if (name === 't') isText = false;
    },
    text: (text) => {
      if (isText) current?.push(text);
    },
  });
  return texts;
}

/** The sheets, formats and shared texts of a workbook. Rejects a workbook with an invalid list of sheets. */
export function readParts(archive: Archive, part: string): Workbook {
  const relations = relationsOf(archive, part);
  const sheets: Sheet[] = [];
  let is1904 = false;
  readXml(archive.read(part), {
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes().date1904 ?? '');
      if (name !== 'sheet') return;
      const all = attributes();
      const id = Object.entries(all).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      const relation = relations.get(id);
      const found = relation?.type === 'worksheet' ? findPart(archive, relation.target) : undefined;
      if (found !== undefined)
        sheets.push({ name: all.name ?? '', isHidden: (all.state ?? 'visible') !== 'visible', part: found });
    },
  });
  if (sheets.length === 0) refuse('工作簿里没有表格，请另存为 CSV 后上传');
  const folder = part.replaceAll('\\', '/').split('/').slice(0, -1).join('/');
  const optional = (type: string, file: string): Buffer | undefined => {
    const name = findPart(archive, firstOf(relations, type) ?? `${folder}/${file}`);
    return name === undefined ? undefined : archive.read(name);
  };
  const styles = optional('styles', 'styles.xml');
  const shared = optional('sharedStrings', 'sharedStrings.xml');
  return { sheets, is1904, formats: styles ? formatsOf(styles) : [], shared: shared ? sharedTexts(shared) : [] };
}
