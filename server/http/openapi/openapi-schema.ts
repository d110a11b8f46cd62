import { z } from 'zod';
import { money, time } from '#contract/wire.ts';

/** A node of the document; JSON Schema is open by nature. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

type Node = z.core.JSONSchema.BaseSchema;
type Seen = { zodSchema: z.core.$ZodType; jsonSchema: Node };

function replace(node: Node, by: Node): void {
  for (const key of Object.keys(node)) delete node[key];
  Object.assign(node, by);
}

const types = (node: Node): Set<string> =>
  new Set((node.anyOf as Node[] | undefined)?.map((v) => String(v.type)) ?? [node.type].flat().map(String));

/** The schema created by `json` of wire.ts: a pipe whose output is the structure and whose input also accepts text. */
function structureBehind(schema: z.core.$ZodType, node: Node): z.core.$ZodType | undefined {
  const { def } = schema._zod;
  if (def.type !== 'pipe' || !types(node).has('object')) return undefined;
  const far = (def as z.core.$ZodPipeDef).out;
  return far._zod.def.type === 'transform' ? undefined : far;
}

function isAbsent(node: Node): boolean {
  return node.type === 'string' && node.const === '';
}

/** Expresses in plain JSON Schema what the helpers of wire.ts accept from a form, where every value is text. */
function plainInput({ zodSchema, jsonSchema: node }: Seen): void {
  const structure = structureBehind(zodSchema, node);
  if (structure !== undefined) {
    replace(node, jsonSchema(structure, 'input'));
    return;
  }
  const variants = (node.anyOf as Node[] | undefined) ?? [];
  const kinds = types(node);
  const present = variants.filter((v) => !isAbsent(v));
  if (variants.length === 2 && present.length === 1) replace(node, present[0] ?? {});
  else if (variants.length === 2 && kinds.has('string') && kinds.has('integer')) replace(node, { type: 'integer' });
  else if (kinds.has('boolean') && variants.length > 2)
    replace(node, { type: 'boolean', description: '1、0、true 或 false' });
  else if (kinds.size === 2 && kinds.has('string') && kinds.has('number'))
    replace(node, { type: 'string', pattern: '^\\d{1,9}(\\.\\d{1,2})?$', description: '元，最多两位小数' });
}

function plainOutput({ zodSchema, jsonSchema: node }: Seen): void {
  if (zodSchema === money) replace(node, { type: 'string', pattern: '^-?\\d+\\.\\d{2}$', description: '元' });
  if (zodSchema === time) replace(node, { type: 'string', format: 'date-time' });
}

function withoutNoise(node: Node): void {
  if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
  if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
  delete node.propertyNames;
}

/** The JSON Schema of a call's `input` or `output`, without the alternative spellings allowed in forms. */
export function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override(seen) {
      if (io === 'input') plainInput(seen);
      else plainOutput(seen);
      withoutNoise(seen.jsonSchema);
    },
  });
  return rest as JsonObject;
}
