import { z } from 'zod';
import { codes } from '#contract/codes.ts';
import type { Auth, Endpoint, FileField } from '#contract/endpoint.ts';
import { endpointGroups, nameOfEndpoint } from '#contract/registry.ts';
import { SIGNED_HEADERS } from '#subjects/open-api/rules/api-keys.ts';
import { callExamples } from '#subjects/open-api/rules/api-example.ts';
import { describeCodes, describeInput } from './openapi-describe.ts';
import { exampleOf } from './openapi-example.ts';
import { completed } from './openapi-inputs.ts';
import { SchemaNames, withoutNames } from './openapi-names.ts';
import { type Json, type JsonObject, jsonSchema } from './openapi-schema.ts';
import { webhooksOf } from './openapi-webhooks.ts';
import { referenceHtml } from './reference.ts';

export interface DocumentInfo {
  title: string;
  version: string;
  /** Base URLs of the paths. */
  servers: readonly string[];
  /** Adds the events that are sent to sellers' own programs. */
  withWebhooks?: boolean;
  /** A paragraph after the conventions. */
  guide?: string;
}

const groupTitle = new Map(
  endpointGroups.flatMap((g) => g.endpoints.map((e) => [`${e.method} ${e.path}`, g.title] as const)),
);

const asObject = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

/** Whether a field is sent as JSON text: its schema is a structure (wire.ts, json). */
function isStructure(schema: JsonObject): boolean {
  return schema.type === 'object' || schema.type === 'array';
}

/** The Chinese message for an invalid value of the field, which names it better than its key does. */
function messageOf(field: unknown): JsonObject {
  if (!(field instanceof z.ZodType)) return {};
  const message = field.safeParse(null).error?.issues[0]?.message ?? '';
  return /^[\u4e00-\u9fff]/.test(message) ? { 'x-message': message } : {};
}

const pathOf = ({ path }: Endpoint): string => path.replace(/^\/api\//, '');

/** A field with its description, and the codes within a structure explained. */
function described(endpoint: Endpoint, name: string, schema: JsonObject, field: unknown): JsonObject {
  describeCodes(schema, `${pathOf(endpoint)}.${name}`);
  const description = describeInput(pathOf(endpoint), name, schema, field);
  return description === '' ? schema : { ...schema, description };
}

function fieldsOf(endpoint: Endpoint): { fields: [name: string, schema: JsonObject][]; required: Set<Json> } {
  const input = jsonSchema(endpoint.input, 'input');
  const shape: Record<string, unknown> = endpoint.input instanceof z.ZodObject ? endpoint.input.shape : {};
  return {
    fields: Object.entries(asObject(input.properties)).map(([name, schema]) => [
      name,
      described(endpoint, name, { ...asObject(schema), ...messageOf(shape[name]) }, shape[name]),
    ]),
    required: new Set(Array.isArray(input.required) ? input.required : []),
  };
}

/** An example input: written for the call, or generated from its schema with what its rules require. */
function inputExample(endpoint: Endpoint): JsonObject {
  const written = callExamples[endpoint.path]?.input as JsonObject | undefined;
  return written ?? completed(endpoint.path, asObject(exampleOf(jsonSchema(endpoint.input, 'input'))));
}

function queryOf(endpoint: Endpoint): JsonObject[] {
  const { fields, required } = fieldsOf(endpoint);
  const example = inputExample(endpoint);
  return fields.map(([name, schema]) => {
    const inPath = endpoint.path.includes(`{${name}}`);
    const parameter: JsonObject = { name, in: inPath ? 'path' : 'query', required: inPath || required.has(name) };
    if (schema.description !== undefined) parameter.description = schema.description;
    if (example[name] !== undefined && !isStructure(schema)) parameter.example = example[name];
    if (name === endpoint.idField && !inPath)
      parameter.description = [
        ...(typeof schema.description === 'string' ? [schema.description] : []),
        `也可写在路径后面：${endpoint.path}/{${name}}/`,
      ].join('。');
    return isStructure(schema)
      ? {
          ...parameter,
          content: { 'application/json': { schema, ...(example[name] !== undefined && { example: example[name] }) } },
        }
      : { ...parameter, schema };
  });
}

function bodyOf(endpoint: Endpoint, names: SchemaNames): JsonObject {
  const { fields, required } = fieldsOf(endpoint);
  const whole: JsonObject = { type: 'object', properties: Object.fromEntries(fields) };
  if (required.size > 0) whole.required = [...required];
  const schema = fields.length > 0 ? names.refer(`${nameOfEndpoint(endpoint)}Input`, whole) : whole;
  const structures = fields
    .filter(([, s]) => isStructure(s))
    .map(([name]) => [name, { contentType: 'application/json' }]);
  const form: JsonObject = { schema };
  if (structures.length > 0) form.encoding = Object.fromEntries(structures) as JsonObject;
  return {
    required: required.size > 0,
    content: {
      'application/x-www-form-urlencoded': form,
      'application/json': { schema, example: inputExample(endpoint) },
    },
  };
}

/** The file and the fields of an upload, in any order. */
function fileBody(endpoint: Endpoint, file: FileField): JsonObject {
  const { fields, required } = fieldsOf(endpoint);
  const part = {
    type: 'string',
    format: 'binary',
    contentMediaType: 'application/octet-stream',
    description: file.about,
  };
  const schema = {
    type: 'object',
    required: ['file', ...required],
    properties: { file: part, ...Object.fromEntries(fields) },
  };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

const security: Record<Auth, Json[] | undefined> = {
  public: undefined,
  login: [{ sid: [], header: [] }, { bearer: [] }],
  staff: [{ ssid: [], header: [] }],
  key: [{ apiKey: [], apiTimestamp: [], apiNonce: [], apiSignature: [] }],
};

const failure = (name: string): JsonObject => ({ $ref: `#/components/responses/${name}` });

function responsesOf(endpoint: Endpoint, names: SchemaNames): JsonObject {
  const whole = jsonSchema(endpoint.data, 'output');
  describeCodes(whole, pathOf(endpoint));
  const data = whole.type === 'object' ? names.refer(`${nameOfEndpoint(endpoint)}Data`, whole) : whole;
  const example = { code: 0, data: exampleOf(whole, { all: true }), msg: '' };
  const envelope: JsonObject = {
    type: 'object',
    required: ['code', 'data', 'msg'],
    properties: { code: { const: 0 }, data, msg: { type: 'string' } },
  };
  return {
    '200': { description: '成功', content: { 'application/json': { schema: envelope, example } } },
    ...(endpoint.auth === 'public' ? {} : { '401': failure('LoginRequired') }),
    '422': failure('Refused'),
    ...(endpoint.limit === undefined ? {} : { '429': failure('RateLimited') }),
    default: failure('Failure'),
  };
}

const ACCESS: Readonly<Record<Auth, string>> = {
  public: '不需要登录。',
  login: '需要登录。',
  staff: '需要后台登录。',
  key: '用密钥签名。',
};

/** The description of a call: its own text and the consequences of its declaration. */
function descriptionOf(endpoint: Endpoint): string {
  const scope = endpoint.scope ? `需要权限 ${endpoint.scope}。` : '';
  const retry = endpoint.idempotent ? '带 Idempotency-Key 可以安全重试。' : '';
  const limit = endpoint.limit === undefined ? '' : '过于频繁时返回 429，按 Retry-After 等待。';
  return [endpoint.about ?? '', `${ACCESS[endpoint.auth]}${scope}${retry}${limit}`]
    .filter((t) => t !== '')
    .join('\n\n');
}

function operationOf(endpoint: Endpoint, names: SchemaNames): JsonObject {
  const parameters: Json[] = endpoint.method === 'GET' ? queryOf(endpoint) : [];
  if (endpoint.method === 'POST') {
    if (endpoint.auth !== 'key') parameters.push({ $ref: '#/components/parameters/csrf' });
    if (endpoint.idempotent) parameters.push({ $ref: '#/components/parameters/idempotencyKey' });
  }
  const allowed = security[endpoint.auth];
  return {
    operationId:
      endpoint.path.replace(/^\/api\//, '').replace(/[^\w]+/g, '_') + (endpoint.method === 'POST' ? '_post' : ''),
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    tags: [groupTitle.get(`${endpoint.method} ${endpoint.path}`) ?? '其他'],
    ...(allowed === undefined ? {} : { security: allowed }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.method === 'POST'
      ? { requestBody: endpoint.file ? fileBody(endpoint, endpoint.file) : bodyOf(endpoint, names) }
      : {}),
    responses: responsesOf(endpoint, names),
    'x-auth': endpoint.auth,
    ...(endpoint.scope ? { 'x-scope': endpoint.scope } : {}),
    ...(endpoint.limit === undefined ? {} : { 'x-limit': endpoint.limit }),
    ...(endpoint.idempotent ? { 'x-idempotent': true } : {}),
  };
}

function envelopeFailure(description: string, headers?: JsonObject): JsonObject {
  return {
    description,
    ...(headers ? { headers } : {}),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
  };
}

/** The error codes of codes.ts, for the document's table and the enumeration of `code`. */
function codeTable(): JsonObject[] {
  return Object.entries(codes).map(([name, [code, status, text]]) => ({ name, code, status, text }));
}

/** The four headers of a signed request, which belong together. */
function signedSchemes(): JsonObject {
  const scheme = (name: string, description: string): JsonObject => ({
    type: 'apiKey',
    in: 'header',
    name,
    description,
  });
  return {
    apiKey: scheme(SIGNED_HEADERS.key, '密钥编号，在「开放接口」页生成；签名方法见 /openApi'),
    apiTimestamp: scheme(SIGNED_HEADERS.time, '当前时间，秒'),
    apiNonce: scheme(SIGNED_HEADERS.nonce, '本次请求的编号，每次不同'),
    apiSignature: scheme(SIGNED_HEADERS.signature, '签名'),
  };
}

/** The response of every failed call. */
function failureSchema(): JsonObject {
  return {
    type: 'object',
    required: ['code', 'data', 'msg'],
    properties: {
      code: { type: 'integer', enum: [...new Set(codeTable().map((row) => row.code ?? 0))] },
      data: { type: 'null' },
      msg: { type: 'string', description: '可以直接显示给用户的一句话' },
      field: { type: 'string', description: '出错的字段路径，如 price、items.0.count；与字段无关时没有' },
      call: {
        type: 'string',
        description: '先要调用的接口，如 POST /api/user/stepUp；另一个接口可以解除这个错误时出现',
      },
      errors: {
        type: 'array',
        description: '每个不符合要求的字段，各一句；msg 和 field 是其中第一个',
        items: {
          type: 'object',
          required: ['field', 'msg'],
          properties: {
            field: { type: 'string' },
            msg: { type: 'string' },
            allowed: { type: 'array', items: { type: 'string' }, description: '允许的取值；字段只有几个取值时出现' },
          },
        },
      },
    },
  };
}

function components(schemas: JsonObject): JsonObject {
  const retryAfter = { 'Retry-After': { description: '秒', schema: { type: 'integer' } } };
  const header = (name: string, description: string, required: boolean): JsonObject => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
  });
  return {
    securitySchemes: {
      sid: { type: 'apiKey', in: 'cookie', name: 'sid', description: '登录凭据（HttpOnly）；TLS 下名为 __Host-sid' },
      ssid: { type: 'apiKey', in: 'cookie', name: 'ssid', description: '后台登录凭据，仅在后台域名有效' },
      header: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: '登录返回的 token（LoginData.token），与 cookie sid 一起使用；网页把它存在自己的 cookie token 里',
      },
      bearer: { type: 'http', scheme: 'bearer', description: '登录时传 client=app 得到的令牌，单独使用' },
      ...signedSchemes(),
    },
    parameters: {
      csrf: header('x-csrf-token', 'cookie csrfToken 的值；无 cookie 的客户端不需要', false),
      idempotencyKey: header(
        'Idempotency-Key',
        '1 至 128 个字符，由调用方生成；同一编号重复请求得到同一结果，内容不同则 409',
        false,
      ),
    },
    schemas,
    responses: {
      LoginRequired: envelopeFailure('未登录或登录已过期'),
      Refused: envelopeFailure('内容不符合要求；msg 是第一处的原因，field 是它的字段，errors 列出每一处'),
      RateLimited: envelopeFailure('操作过于频繁', retryAfter),
      Failure: envelopeFailure('其他失败，HTTP 状态与 code 见错误码表', retryAfter),
    },
  };
}

/**
 * The OpenAPI 3.1 document of some calls: inputs as callers send them, responses as they arrive, the envelope, the authentication
 * schemes, and the table of error codes (extension `x-error-codes`).
 */
export function openApiDocument(endpoints: readonly Endpoint[], info: DocumentInfo): JsonObject {
  const names = new SchemaNames({ Failure: failureSchema() });
  const paths: { [path: string]: JsonObject } = {};
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {});
    path[endpoint.method.toLowerCase()] = operationOf(endpoint, names);
    if (endpoint.idField !== undefined) {
      // The same call with its id in the path, as in product.md 7.
      const named: Endpoint = { ...endpoint, path: `${endpoint.path}/{${endpoint.idField}}` };
      (paths[named.path] ??= {})[endpoint.method.toLowerCase()] = operationOf(named, names);
    }
  }
  const used = new Set(endpoints.map((e) => groupTitle.get(`${e.method} ${e.path}`)));
  return {
    openapi: '3.1.1',
    info: {
      title: info.title,
      version: info.version,
      description:
        '所有接口返回 {code, data, msg}：code 为 0 表示成功，其他值见错误码表，msg 可以直接显示。' +
        'POST 默认使用表单编码，结构化字段以 JSON 文本传递；也接受 JSON。' +
        '金额为两位小数的元字符串，时间为带时区的 ISO 8601。列表用 pages、pageSize 翻页，深翻用 cursor。' +
        (info.guide === undefined ? '' : `\n\n${info.guide}`),
    },
    servers: info.servers.map((url) => ({ url })),
    tags: endpointGroups.filter((g) => used.has(g.title)).map((g) => ({ name: g.title, 'x-name': g.name })),
    paths,
    ...(info.withWebhooks ? { webhooks: webhooksOf(names) } : {}),
    components: components(names.schemas),
    'x-error-codes': codeTable(),
  };
}

/** The reference as one self-contained page in Chinese with a search; its only script carries the nonce. */
export function referencePage(
  document: object,
  { nonce, documentUrl = '/api/openapi.json' }: { nonce: string; documentUrl?: string },
): string {
  return referenceHtml(withoutNames(document as JsonObject), { nonce, documentUrl });
}
