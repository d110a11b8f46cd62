import { validate } from '@readme/openapi-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { codes } from '#contract/codes.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/registry.ts';
import { TEST_EVENT, webhookEvents } from '#subjects/open-api/rules/webhooks.ts';
import { CODE_NAMES } from '#server/http/openapi/openapi-codes.ts';
import { isNumeric } from '#server/http/openapi/openapi-describe.ts';
import { openApiDocument, referencePage } from '#server/http/openapi/openapi.ts';
import { type Json, type JsonObject, jsonSchema } from '#server/http/openapi/openapi-schema.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const document = openApiDocument(endpoints, { title: '接口 <试>', version: '9.9.9', servers: ['/'] });

/** The target of a reference, or the value itself. */
function resolved(value: Json | undefined): Json | undefined {
  const ref = typeof value === 'object' && value !== null && !Array.isArray(value) ? value.$ref : undefined;
  return typeof ref === 'string' && ref.startsWith('#/components/schemas/')
    ? ((document.components as JsonObject).schemas as JsonObject)[ref.split('/').at(-1) ?? '']
    : value;
}

function at(value: Json | undefined, ...keys: (string | number)[]): Json | undefined {
  return keys.reduce<Json | undefined>((v, key) => {
    const here = resolved(v);
    if (Array.isArray(here)) return here[Number(key)];
    return typeof here === 'object' && here !== null ? here[key] : undefined;
  }, value);
}

const operation = (method: 'get' | 'post', path: string): Json | undefined => at(document, 'paths', path, method);
const responseSchema = (path: string): Json | undefined =>
  at(operation('get', path), 'responses', '200', 'content', 'application/json', 'schema', 'properties', 'data');
const form = (path: string): Json | undefined =>
  at(operation('post', path), 'requestBody', 'content', 'application/x-www-form-urlencoded');

function parameters(path: string): JsonObject[] {
  return (at(operation('get', path), 'parameters') ?? []) as JsonObject[];
}

const isChinese = (value: Json | undefined): boolean => typeof value === 'string' && /[\u4e00-\u9fff]/.test(value);

/** Every value of a key, at any depth. */
function everywhere(value: Json, key: string): Json[] {
  if (Array.isArray(value)) return value.flatMap((v) => everywhere(v, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([k, v]) => [...(k === key ? [v] : []), ...everywhere(v, key)]);
}

describe('the OpenAPI document', () => {
  it('contains every call once', () => {
    const held = Object.entries(document.paths as JsonObject).flatMap(([path, item]) =>
      Object.keys(item as JsonObject).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const named = endpoints.filter((e) => e.idField !== undefined);
    expect(named.length).toBeGreaterThan(0);
    // A call with an id is there a second time, with the id in its path (product.md 7).
    const expected = [...endpoints, ...named.map((e) => ({ ...e, path: `${e.path}/{${e.idField}}` }))];
    expect(held.toSorted()).toEqual(expected.map((e) => `${e.method} ${e.path}`).toSorted());
    const ids = everywhere(document.paths ?? {}, 'operationId');
    expect(new Set(ids).size).toBe(expected.length);
  });

  it('has no dangling reference', () => {
    const refs = everywhere(document, '$ref').map(String);
    expect(refs.length).toBeGreaterThan(0);
    expect(refs.filter((ref) => at(document, ...ref.split('/').slice(1)) === undefined)).toEqual([]);
  });

  it('consists of plain JSON values', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it('describes forms as the caller sends them, with structures as JSON text', () => {
    expect(at(form('/api/goods/releaseGoods'), 'schema', 'required')).toEqual([
      'gameId',
      'goodsTypeId',
      'bigTitle',
      'price',
    ]);
    expect(at(form('/api/goods/releaseGoods'), 'schema', 'properties', 'gameId')).toMatchObject({ type: 'integer' });
    expect(at(form('/api/goods/releaseGoods'), 'schema', 'properties', 'price')).toMatchObject({
      type: 'string',
      description: '价格。元，最多两位小数',
    });
    expect(at(form('/api/goods/releaseGoods'), 'schema', 'properties', 'pictures')).toMatchObject({
      type: 'array',
      maxItems: 20,
    });
    expect(at(form('/api/goods/releaseGoods'), 'encoding', 'pictures')).toEqual({ contentType: 'application/json' });
  });

  it('describes responses as they arrive', () => {
    expect(at(responseSchema('/api/user/userInfo'), 'properties', 'coin')).toEqual({
      type: 'string',
      pattern: '^-?\\d+\\.\\d{2}$',
      description: '元',
    });
    expect(at(responseSchema('/api/user/userInfo'), 'properties', 'createTime')).toEqual({
      type: 'string',
      format: 'date-time',
    });
  });

  it('has files as multipart, with their fields', () => {
    const body = at(operation('post', '/api/comm/upload'), 'requestBody', 'content');
    expect(Object.keys(body as JsonObject)).toEqual(['multipart/form-data']);
    const schemaOf = (path: string) =>
      at(operation('post', path), 'requestBody', 'content', 'multipart/form-data', 'schema') as JsonObject;
    expect(schemaOf('/api/goods/import/upload')).toMatchObject({
      required: ['file', 'kind'],
      properties: { file: { format: 'binary' }, gameId: { type: 'integer' } },
    });
    const uploads = endpoints.filter(({ file }) => file !== undefined);
    expect(uploads.length).toBeGreaterThan(8);
    for (const { path } of uploads) expect(schemaOf(path).required, path).toContain('file');
  });

  it('describes every parameter and every field of a body', () => {
    const bare: string[] = [];
    for (const e of endpoints) {
      const op = operation(e.method === 'GET' ? 'get' : 'post', e.path) as JsonObject;
      for (const p of (op.parameters ?? []) as JsonObject[])
        if (p.$ref === undefined && !isChinese(p.description)) bare.push(`${e.path} ${JSON.stringify(p.name)}`);
      const type = e.file ? 'multipart/form-data' : 'application/json';
      const schema = resolved(at(op, 'requestBody', 'content', type, 'schema'));
      for (const [name, field] of Object.entries((at(schema, 'properties') ?? {}) as JsonObject))
        if (!isChinese(at(field, 'description'))) bare.push(`${e.path} ${name}`);
    }
    expect(bare).toEqual([]);
  });

  it('says what every whole number means that is a code', () => {
    const bare: string[] = [];
    let explained = 0;
    const visit = (value: Json | undefined, where: string): void => {
      if (Array.isArray(value)) for (const one of value) visit(one, where);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      for (const [name, field] of Object.entries((value.properties ?? {}) as { [name: string]: JsonObject })) {
        if (CODE_NAMES.test(name) && isNumeric(field)) {
          if (isChinese(field.description)) explained += 1;
          else bare.push(`${where}.${name}`);
        }
        visit(field, `${where}.${name}`);
      }
      for (const key of ['items', 'anyOf', 'oneOf', 'additionalProperties']) visit(value[key], where);
    };
    const { schemas } = document.components as { schemas: JsonObject };
    for (const [name, schema] of Object.entries(schemas)) visit(schema, name);
    for (const [path, item] of Object.entries(document.paths as JsonObject))
      for (const op of Object.values(item as JsonObject))
        visit(at(op, 'responses', '200', 'content', 'application/json', 'schema'), path);
    expect(bare).toEqual([]);
    expect(explained).toBeGreaterThan(150);
  });

  it('gives `more` one meaning: lists say whether their total is cut', () => {
    const tail = at(responseSchema('/api/goods/getGoodsList'), 'properties') as JsonObject;
    expect(Object.keys(tail)).toEqual(expect.arrayContaining(['total', 'totalCapped', 'next']));
    expect(tail).not.toHaveProperty('more');
    expect(at(responseSchema('/api/im/history'), 'properties', 'more')).toMatchObject({ type: 'boolean' });
  });

  it('contains the events that sellers’ programs receive', async () => {
    const open = openApiDocument(
      endpoints.filter(({ auth }) => auth === 'key'),
      { title: '开放接口', version: '1.0.0', servers: ['/'], withWebhooks: true },
    );
    expect(Object.keys(open.webhooks as JsonObject).toSorted()).toEqual([...webhookEvents, TEST_EVENT].toSorted());
    expect(await validate(structuredClone(open) as never)).toMatchObject({ valid: true });
  });

  it('states who may call, whether it can be repeated, and where the id may be', () => {
    expect(at(operation('get', '/api/goods/getGoodsList'), 'security')).toBeUndefined();
    expect(at(operation('post', '/api/order/placeOrder'), 'security')).toEqual([
      { sid: [], header: [] },
      { bearer: [] },
    ]);
    expect(at(operation('post', '/api/order/placeOrder'), 'parameters')).toContainEqual({
      $ref: '#/components/parameters/idempotencyKey',
    });
    expect(parameters('/api/goods/goodsInfo')).toEqual([
      expect.objectContaining({
        name: 'goodsSn',
        required: true,
        description: '商品编号。也可写在路径后面：/api/goods/goodsInfo/{goodsSn}/',
      }),
    ]);
  });

  it('is valid OpenAPI 3.1 for an independent validator', async () => {
    const result = await validate(structuredClone(document) as never);
    expect(result).toMatchObject({ valid: true });
    const broken = { ...structuredClone(document), paths: { nonsense: { get: { responses: 1 } } } };
    expect(await validate(broken as never)).toMatchObject({ valid: false });
  });

  it('names its structures, each once, and every call uses them', () => {
    const schemas = (document.components as JsonObject).schemas as JsonObject;
    expect(Object.keys(schemas).length).toBeGreaterThan(300);
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['OpenPublishInput', 'OpenOrderListData', 'Failure']));
    const texts = Object.values(schemas).map((schema) => JSON.stringify(schema));
    expect(texts.filter((text, i) => texts.indexOf(text) !== i)).toEqual([]);
    const bodies = endpoints
      .filter((e) => e.method === 'POST' && e.file === undefined)
      .map((e) => operation('post', e.path) as JsonObject)
      .map((op) => (((op.requestBody as JsonObject).content as JsonObject)['application/json'] as JsonObject).schema);
    const plain = bodies.filter((schema) => (schema as JsonObject).$ref === undefined);
    // A schema without fields needs no name.
    expect(plain.filter((schema) => Object.keys((schema as JsonObject).properties as JsonObject).length > 0)).toEqual(
      [],
    );
  });

  describe('describes every call, with a valid example of its input and output', () => {
    const open = endpoints.filter(
      (e) => (e.auth === 'public' && !e.path.startsWith('/api/backstage/')) || e.auth === 'key',
    );

    it.each(open.map((e) => [`${e.method} ${e.path}`, e] as const))('%s', (_, e) => {
      const op = operation(e.method === 'GET' ? 'get' : 'post', e.path) as JsonObject;
      expect((op.description as string).length).toBeGreaterThan(5);
      const answer = at(op, 'responses', '200', 'content', 'application/json', 'example', 'data');
      const check = ajv.compile(jsonSchema(e.data, 'output'));
      expect([check(answer), check.errors]).toEqual([true, null]);
      const input =
        e.method === 'POST'
          ? at(op, 'requestBody', 'content', 'application/json', 'example')
          : Object.fromEntries(
              ((op.parameters ?? []) as JsonObject[]).flatMap((p) => {
                const example = p.example ?? at(p, 'content', 'application/json', 'example');
                return example === undefined
                  ? []
                  : [[p.name as string, typeof example === 'object' ? example : String(example)]];
              }),
            );
      if (e.file) return;
      expect(e.input.safeParse(input).error?.issues ?? []).toEqual([]);
    });
  });

  it('shows an example of each input that the call’s own schema accepts', () => {
    const exampleOf = (endpoint: Endpoint): JsonObject => {
      const op = operation(endpoint.method === 'GET' ? 'get' : 'post', endpoint.path);
      const body = at(op, 'requestBody', 'content', 'application/json', 'example');
      if (endpoint.method !== 'GET') return (body ?? {}) as JsonObject;
      const query: JsonObject = {};
      for (const one of (at(op, 'parameters') ?? []) as JsonObject[]) {
        const example = one.example ?? at(one, 'content', 'application/json', 'example');
        if (example !== undefined) query[one.name as string] = example;
      }
      return query;
    };
    const refused: unknown[] = [];
    for (const endpoint of endpoints.filter(({ file }) => file === undefined)) {
      const example = exampleOf(endpoint);
      const { error } = endpoint.input.safeParse(example);
      const { shape } = endpoint.input instanceof z.ZodObject ? endpoint.input : { shape: example };
      const unknown = Object.keys(example).filter((name) => !(name in shape));
      if (error || unknown.length > 0) refused.push([endpoint.path, error?.issues, unknown]);
    }
    expect(refused).toEqual([]);
  });

  it('lists every error code', () => {
    const table = document['x-error-codes'] as JsonObject[];
    expect(table.map((row) => row.name)).toEqual(Object.keys(codes));
  });
});

describe('the reference page', () => {
  const page = referencePage(document, { nonce: 'n0nce"' });

  it('shows every call of the document', () => {
    for (const e of endpoints) expect(page).toContain(`<code class="p">${e.path}</code>`);
    expect(page.match(/<details class="op"/g)).toHaveLength(endpoints.length);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((m) => m[1]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('escapes the values that it shows', () => {
    expect(page).toContain('<title>接口 &lt;试&gt;</title>');
    expect(page).toContain('<script nonce="n0nce&quot;">');
  });

  it('loads nothing from other hosts', () => {
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toMatch(/\s(src|srcset)=/);
    expect(page).not.toMatch(/<link|@import|url\(|\son\w+=/);
    expect(page).not.toMatch(/href="(https?:)?\/\//);
  });
});

describe('a first order with only the document', () => {
  it.each([
    ['/api/goods/releaseGoods', 'areaId', 'specialId'],
    ['/api/goods/releaseGoods', 'serverId', 'twoSpecialId'],
    ['/api/order/handoverDone', 'step', 'handover'],
    ['/api/order/handoverDone', 'pictures', 'POST /api/comm/upload'],
    ['/api/order/sealSecret', 'step', 'handover'],
    ['/api/pay/recPay', 'amount', '充值时必填'],
    ['/api/pay/recPay', 'orderId', '付订单时必填'],
  ])('%s says where %s comes from', (path, name, part) => {
    expect(at(form(path), 'schema', 'properties', name, 'description')).toContain(part);
  });
});
