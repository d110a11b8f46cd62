import { describe, expect, it } from 'vitest';
import { codes } from '#contract/codes.ts';
import { endpoints } from '#contract/registry.ts';
import { openApiDocument, referencePage } from '#server/http/openapi.ts';
import type { Json, JsonObject } from '#server/http/openapi-schema.ts';

const document = openApiDocument(endpoints, { title: '接口 <试>', version: '9.9.9', servers: ['/'] });

function at(value: Json | undefined, ...keys: (string | number)[]): Json | undefined {
  return keys.reduce<Json | undefined>((v, key) => {
    if (Array.isArray(v)) return v[Number(key)];
    return typeof v === 'object' && v !== null ? v[key] : undefined;
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

/** Every value of a key, wherever it stands. */
function everywhere(value: Json, key: string): Json[] {
  if (Array.isArray(value)) return value.flatMap((v) => everywhere(v, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([k, v]) => [...(k === key ? [v] : []), ...everywhere(v, key)]);
}

describe('the OpenAPI document', () => {
  it('holds every call once', () => {
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

  it('points at nothing that is not there', () => {
    const refs = everywhere(document, '$ref').map(String);
    expect(refs.length).toBeGreaterThan(0);
    expect(refs.filter((ref) => at(document, ...ref.split('/').slice(1)) === undefined)).toEqual([]);
  });

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it('tells the caller’s side of a form and its structures as JSON text', () => {
    expect(at(form('/api/goods/releaseGoods'), 'schema', 'required')).toEqual([
      'gameId',
      'goodsTypeId',
      'bigTitle',
      'price',
    ]);
    expect(at(form('/api/goods/releaseGoods'), 'schema', 'properties', 'gameId')).toMatchObject({ type: 'integer' });
    expect(at(form('/api/goods/releaseGoods'), 'schema', 'properties', 'price')).toMatchObject({
      type: 'string',
      description: '元，最多两位小数',
    });
    expect(at(form('/api/goods/releaseGoods'), 'schema', 'properties', 'pictures')).toMatchObject({
      type: 'array',
      maxItems: 20,
    });
    expect(at(form('/api/goods/releaseGoods'), 'encoding', 'pictures')).toEqual({ contentType: 'application/json' });
  });

  it('tells the arriving side of an answer', () => {
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

  it('takes a file in parts, and its purpose in the query', () => {
    const body = at(operation('post', '/api/comm/upload'), 'requestBody', 'content');
    expect(Object.keys(body as JsonObject)).toEqual(['multipart/form-data']);
    expect(at(operation('post', '/api/comm/upload'), 'parameters', 0)).toMatchObject({ name: 'purpose', in: 'query' });
  });

  it('says who may call, how often it can be repeated, and where the id may stand', () => {
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
        description: '也可写在路径后面：/api/goods/goodsInfo/{goodsSn}/',
      }),
    ]);
  });

  it('lists every error code', () => {
    const table = document['x-error-codes'] as JsonObject[];
    expect(table.map((row) => row.name)).toEqual(Object.keys(codes));
  });
});

describe('the reference page', () => {
  const page = referencePage(document, { nonce: 'n0nce"' });

  it('shows every call', () => {
    for (const e of endpoints) expect(page).toContain(`<code class="p">${e.path}</code>`);
    expect(page.match(/<details class="op"/g)).toHaveLength(endpoints.length);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((m) => m[1]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('escapes what it is given', () => {
    expect(page).toContain('<title>接口 &lt;试&gt;</title>');
    expect(page).toContain('<script nonce="n0nce&quot;">');
  });

  it('loads nothing from anywhere', () => {
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toMatch(/\s(src|srcset)=/);
    expect(page).not.toMatch(/<link|@import|url\(|\son\w+=/);
    expect(page).not.toMatch(/href="(https?:)?\/\//);
  });
});
