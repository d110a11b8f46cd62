import type { Json, JsonObject } from './openapi-schema.ts';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A structure smaller than this is not extracted, however often it occurs. */
const FIELDS = 2;

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** The name of a list's item: `list` of OrderListData is OrderListItem. */
const itemName = (name: string): string => (name.endsWith('List') ? name.slice(0, -4) : name.replace(/s$/, ''));
const fieldCount = (schema: JsonObject): number =>
  schema.type === 'object' && isObject(schema.properties) ? Object.keys(schema.properties).length : 0;

/** The text of a schema without its example; equal texts are equal structures. */
const keyOf = (schema: JsonObject): string => JSON.stringify(schema);

/**
 * The named schemas of a document. A structure gets the name of the first place where it occurs; an equal one elsewhere gets the same
 * name, so that generated clients have one type for it.
 */
export class SchemaNames {
  readonly schemas: { [name: string]: JsonObject } = {};
  readonly #byKey = new Map<string, string>();

  constructor(schemas: { [name: string]: JsonObject }) {
    Object.assign(this.schemas, schemas);
  }

  /** A reference to the schema under this name, or under the name of an equal one. Structures within it are named as well. */
  refer(name: string, schema: JsonObject): JsonObject {
    const key = keyOf(schema);
    const known = this.#byKey.get(key);
    if (known !== undefined) return { $ref: `#/components/schemas/${known}` };
    const free = this.#free(upper(name));
    this.#byKey.set(key, free);
    this.schemas[free] = {};
    this.schemas[free] = this.#within(free.replace(/(Data|Input)$/, ''), schema);
    return { $ref: `#/components/schemas/${free}` };
  }

  #free(name: string): string {
    if (this.schemas[name] === undefined) return name;
    for (let n = 2; ; n++) if (this.schemas[`${name}${n}`] === undefined) return `${name}${n}`;
  }

  /** The schema with the structures in it replaced by references. */
  #within(name: string, schema: JsonObject): JsonObject {
    const changed: JsonObject = { ...schema };
    if (isObject(schema.properties))
      changed.properties = Object.fromEntries(
        Object.entries(schema.properties).map(([field, value]) => [
          field,
          isObject(value) ? this.#field(`${name}${upper(field)}`, value) : value,
        ]),
      );
    if (isObject(schema.items)) changed.items = this.#field(`${itemName(name)}Item`, schema.items);
    if (isObject(schema.additionalProperties))
      changed.additionalProperties = this.#field(`${name}Value`, schema.additionalProperties);
    for (const kind of ['anyOf', 'oneOf', 'allOf'] as const) {
      const variants = schema[kind];
      if (Array.isArray(variants)) changed[kind] = variants.map((v) => (isObject(v) ? this.#field(name, v) : v));
    }
    return changed;
  }

  #field(name: string, schema: JsonObject): JsonObject {
    return fieldCount(schema) >= FIELDS ? this.refer(name, schema) : this.#within(name, schema);
  }
}

/** The document with all references replaced by their schemas, for the reference page. Schemas of a contract are trees. */
export function withoutNames(document: JsonObject): JsonObject {
  const components = isObject(document.components) ? document.components : {};
  const schemas = isObject(components.schemas) ? components.schemas : {};
  const inline = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(inline);
    if (!isObject(value)) return value;
    const name = typeof value.$ref === 'string' ? /^#\/components\/schemas\/(\w+)$/.exec(value.$ref)?.[1] : undefined;
    const named = name === undefined ? undefined : schemas[name];
    if (isObject(named)) return inline(named);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inline(one)]));
  };
  return { ...document, paths: inline(document.paths ?? {}) };
}
