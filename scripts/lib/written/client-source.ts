/** Source of packages/client made of the contract: types of the calls' inputs and outputs, and a method for each. */
import * as open from '#subjects/open-api/contract/open-api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { nameOfEndpoint } from '#contract/registry.ts';
import { openApiDocument } from '#server/http/openapi/openapi.ts';
import type { Json, JsonObject } from '#server/http/openapi/openapi-schema.ts';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** In a fixed order that does not depend on the module loader. */
const endpoints = Object.values(open)
  .filter((one): one is typeof one & Endpoint => 'path' in one)
  .sort((a, b) => (a.path < b.path ? -1 : 1));

/** openGoodsList is `goodsList` of the client. */
const methodName = (endpoint: Endpoint): string => {
  const name = nameOfEndpoint(endpoint).replace(/^open/, '');
  return name.charAt(0).toLowerCase() + name.slice(1);
};

const comment = (text: Json | undefined, indent: string): string =>
  typeof text === 'string' && text !== ''
    ? `${indent}/** ${text.replaceAll('*/', '* /').replace(/\n+/g, ' ')} */\n`
    : '';

function objectType(schema: JsonObject, indent: string): string {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(isObject(schema.properties) ? schema.properties : {});
  if (fields.length === 0)
    return isObject(schema.additionalProperties) && Object.keys(schema.additionalProperties).length > 0
      ? `Record<string, ${typeOf(schema.additionalProperties, indent)}>`
      : 'Record<string, unknown>';
  const inner = `${indent}  `;
  const lines = fields.map(([name, field]) => {
    const one = isObject(field) ? field : {};
    const isOptional = !required.includes(name);
    return `${comment(one.description, inner)}${inner}${name}${isOptional ? '?' : ''}: ${typeOf(one, inner)}${isOptional ? ' | undefined' : ''};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

/** The TypeScript type of a schema of the document. */
function typeOf(schema: JsonObject, indent = ''): string {
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.const !== undefined) return JSON.stringify(schema.const).replaceAll('"', "'");
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one).replaceAll('"', "'")).join(' | ');
  const variants = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(variants))
    return variants
      .filter(isObject)
      .map((one) => typeOf(one, indent))
      .join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((one) => typeOf({ ...schema, type: one }, indent)).join(' | ');
  switch (schema.type) {
    case 'object':
      return objectType(schema, indent);
    case 'array': {
      const item = isObject(schema.items) ? typeOf(schema.items, indent) : 'unknown';
      return /[|{ ]/.test(item) ? `(${item})[]` : `${item}[]`;
    }
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    default:
      return 'unknown';
  }
}

function callTypes(document: JsonObject, endpoint: Endpoint): { input: string; data: string } {
  const path = isObject(document.paths) ? document.paths[endpoint.path] : undefined;
  const operation = isObject(path) ? path[endpoint.method.toLowerCase()] : undefined;
  const at = (value: Json | undefined, ...keys: string[]): Json | undefined =>
    keys.reduce<Json | undefined>((v, key) => (isObject(v) ? v[key] : undefined), value);
  const data = at(operation, 'responses', '200', 'content', 'application/json', 'schema', 'properties', 'data');
  const body = at(operation, 'requestBody', 'content', 'application/json', 'schema');
  const parameters = at(operation, 'parameters');
  const query: JsonObject = {
    type: 'object',
    properties: {},
    required: [],
  };
  for (const one of Array.isArray(parameters) ? parameters.filter(isObject) : []) {
    if (one.in !== 'query' || typeof one.name !== 'string') continue;
    const schema = one.schema ?? at(one, 'content', 'application/json', 'schema') ?? {};
    (query.properties as JsonObject)[one.name] = schema;
    if (one.required === true) (query.required as Json[]).push(one.name);
  }
  return {
    input: isObject(body) ? typeOf(body, '  ') : typeOf(query, '  '),
    data: isObject(data) ? typeOf(data, '  ') : 'unknown',
  };
}

const HEAD = '// Generated from the contract by scripts/generate/client-gen.ts; do not edit.\n\n';

/** The generated files of packages/client/src by name, before they are formatted: types of inputs and outputs, and the calls. */
export function clientSources(): { 'types.gen.ts': string; 'calls.gen.ts': string } {
  const document = openApiDocument(endpoints, { title: '', version: '', servers: [] });
  const schemas = (document.components as JsonObject).schemas as { [name: string]: JsonObject };
  const types = Object.entries(schemas)
    .filter(([name]) => name !== 'Failure')
    .map(([name, schema]) => ({ name, source: `export type ${name} = ${typeOf(schema)};\n` }));
  const calls = endpoints.map((e) => ({ e, name: methodName(e), ...callTypes(document, e) }));
  const text = `export interface Calls {
${calls.map(({ name, input, data }) => `  ${name}: { input: ${input}; data: ${data} };\n`).join('')}}

export type CallName = keyof Calls;

export const CALLS: {
  readonly [N in CallName]: { readonly method: 'GET' | 'POST'; readonly path: string; readonly idempotent: boolean };
} = {
${calls.map(({ name, e }) => `  ${name}: { method: '${e.method}', path: '${e.path}', idempotent: ${e.idempotent === true} },\n`).join('')}};

type Given = { idempotencyKey?: string };
type Send = <N extends CallName>(name: N, input: Calls[N]['input'], given?: Given) => Promise<Calls[N]['data']>;

export interface Methods {
${calls
  .map(
    ({ name, e, input }) =>
      `${comment(`${e.summary}。${e.about ?? ''}`, '  ')}  ${name}(input${/\w+: /.test(input) || /^\w+$/.test(input) ? '' : '?'}: Calls['${name}']['input'], given?: Given): Promise<Calls['${name}']['data']>;\n`,
  )
  .join('')}}

export const methods = (send: Send): Methods => ({
${calls.map(({ name }) => `  ${name}: (input, given) => send('${name}', input ?? {}, given),\n`).join('')}});
`;
  const imported = types.map(({ name }) => name).filter((name) => new Set(text.match(/\w+/g)).has(name));
  return {
    'types.gen.ts': HEAD + types.map(({ source }) => source).join('\n'),
    'calls.gen.ts': `${HEAD}import type { ${imported.join(', ')}, } from './types.gen.ts';\n\n${text}`,
  };
}
