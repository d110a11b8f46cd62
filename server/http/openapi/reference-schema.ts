import type { Json, JsonObject } from './openapi-schema.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);
}

/** The value if it is an object, otherwise an empty object. */
export const objectOf = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
/** The value if it is a list, otherwise an empty list. */
export const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
/** The value if it is text, otherwise undefined. */
export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
/** A single value as text, a structure as JSON. */
export const plain = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

const TYPE_NAMES: Record<string, string> = {
  string: '文本',
  integer: '整数',
  number: '数字',
  boolean: '是/否',
  array: '列表',
  object: '对象',
};

interface Shape {
  schema: JsonObject;
  nullable: boolean;
}

/** A schema without its 'or null'. */
function shapeOf(raw: JsonObject): Shape {
  const variants = listOf(raw.anyOf).map(objectOf);
  const present = variants.filter((v) => v.type !== 'null');
  if (variants.length > present.length && present.length === 1)
    return { schema: { ...raw, anyOf: [], ...present[0] }, nullable: true };
  if (Array.isArray(raw.type) && raw.type.includes('null')) {
    const rest = raw.type.filter((t) => t !== 'null');
    return { schema: { ...raw, type: rest.length === 1 ? (rest[0] ?? null) : rest }, nullable: true };
  }
  return { schema: raw, nullable: false };
}

function typeName(schema: JsonObject): string {
  if (schema.format === 'date-time') return '时间';
  if (/(^|。)元(，|$)/.test(textOf(schema.description))) return '金额';
  if (schema.type === 'array') {
    const item = shapeOf(objectOf(schema.items)).schema;
    return item.type === 'object' ? '列表' : `${typeName(item)}列表`;
  }
  const variants = listOf(schema.anyOf).map(objectOf);
  if (variants.length > 0) return [...new Set(variants.map(typeName))].join(' 或 ');
  if (Array.isArray(schema.type)) return schema.type.map((t) => TYPE_NAMES[plain(t)] ?? plain(t)).join(' 或 ');
  if (schema.type === undefined) return schema.const === undefined && schema.enum === undefined ? '任意' : '固定值';
  return TYPE_NAMES[textOf(schema.type)] ?? textOf(schema.type);
}

const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;

function notes({ schema, nullable }: Shape): string {
  const parts: string[] = [];
  if (textOf(schema['x-message']) !== '' && textOf(schema.description) === '')
    parts.push(`<span class="msg">${escapeHtml(textOf(schema['x-message']))}</span>`);
  const description = textOf(schema.description);
  if (description !== '' && description !== '元') parts.push(escapeHtml(description));
  const values = schema.const === undefined ? listOf(schema.enum) : [schema.const];
  if (values.length > 0) parts.push(values.map((v) => code(plain(v))).join(' '));
  if (schema.description === undefined && typeof schema.pattern === 'string') parts.push(code(schema.pattern));
  if (typeof schema.maxLength === 'number') parts.push(`最多 ${schema.maxLength} 个字符`);
  if (typeof schema.maxItems === 'number') parts.push(`最多 ${schema.maxItems} 项`);
  if (typeof schema.minimum === 'number' && schema.minimum !== 0) parts.push(`≥ ${schema.minimum}`);
  if (typeof schema.maximum === 'number') parts.push(`≤ ${schema.maximum}`);
  if (nullable) parts.push('<span class="null">可为空</span>');
  return parts.join('；');
}

/** Nested fields: those of an object, of a list's items, or of a map's values. */
function inner(schema: JsonObject): [name: string, schema: JsonObject, required: boolean][] {
  if (schema.type === 'array') {
    const item = shapeOf(objectOf(schema.items)).schema;
    return item.type === 'array' ? [['[ ]', item, true]] : inner(item);
  }
  const required = new Set(listOf(schema.required));
  const named = Object.entries(objectOf(schema.properties)).map(([name, field]): [string, JsonObject, boolean] => [
    name,
    objectOf(field),
    required.has(name),
  ]);
  const values = objectOf(schema.additionalProperties);
  return Object.keys(values).length > 0 ? [...named, ['{键}', values, true]] : named;
}

/** One row, followed by the rows of nested fields. Depth is bounded because a contract's schemas are trees. */
export function schemaRows(name: string, raw: JsonObject, required: boolean, depth = 0): string {
  const shape = shapeOf(raw);
  const optionalTag = required ? '' : '<span class="opt" title="可以不传">选填</span>';
  const row = `<tr><td class="f" style="--d:${depth}"><code>${escapeHtml(name)}</code>${optionalTag}</td><td class="t">${escapeHtml(
    typeName(shape.schema),
  )}</td><td>${notes(shape)}</td></tr>`;
  return row + fieldRows(shape.schema, depth + 1);
}

/** The rows of a schema's fields; empty for a schema without any. */
export function fieldRows(schema: JsonObject, depth = 0): string {
  return inner(schema)
    .map(([name, field, required]) => schemaRows(name, field, required, depth))
    .join('');
}

/** A table of rows, or a sentence when there are none. */
export function table(rows: string, empty: string): string {
  if (rows === '') return `<p class="none">${empty}</p>`;
  return `<div class="scroll"><table><thead><tr><th>字段</th><th>类型</th><th>说明</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
