/**
 * Answers every call that a test sends with an empty success in place of the server: code 0 and the smallest data that the call's schema
 * allows (empty lists, zero, '', null). What runs before a test (beforeAll, beforeEach) reaches the server. Each call is noted in the file
 * HARNESS_LOG, one JSON line with the test's file and name: a test that called and still passes cannot fail.
 */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { TestRunner } from 'vitest';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpointGroups } from '#contract/registry.ts';
import { type Json, type JsonObject, jsonSchema } from '#server/http/openapi/openapi-schema.ts';
import { TestClient } from '#tests/support/servers/client.ts';

type Test = NonNullable<ReturnType<typeof TestRunner.getCurrentTest>>;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectsOf = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

function emptyString({ format, pattern }: JsonObject): string {
  if (format === 'date-time') return '1970-01-01T00:00:00.000Z';
  return typeof pattern === 'string' && new RegExp(pattern).test('0.00') ? '0.00' : '';
}

function emptyObject({ properties, required }: JsonObject, root: JsonObject): JsonObject {
  const names = Array.isArray(required) ? required.map(String) : [];
  const fields = isObject(properties) ? properties : {};
  return Object.fromEntries(names.map((name) => [name, emptyValue(fields[name], root)]));
}

/** The smallest value of a JSON Schema. `root` holds the definitions that it refers to. */
function emptyValue(schema: Json | undefined, root: JsonObject): Json {
  if (!isObject(schema)) return {};
  if (typeof schema.$ref === 'string') {
    const path = schema.$ref.split('/').slice(1);
    return emptyValue(
      path.reduce<Json>((at, key) => (isObject(at) ? (at[key] ?? {}) : {}), root),
      root,
    );
  }
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  const variants = objectsOf(schema.anyOf ?? schema.oneOf);
  if (variants.length > 0) return variants.some(({ type }) => type === 'null') ? null : emptyValue(variants[0], root);
  const parts = objectsOf(schema.allOf).map((part) => emptyValue(part, root));
  if (parts.length > 0) return Object.assign({}, ...parts);
  if (schema.type === 'array') return [];
  if (schema.type === 'string') return emptyString(schema);
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(0, Number(schema.minimum ?? 0));
  if (schema.type === 'boolean') return false;
  return schema.type === 'null' ? null : emptyObject(schema, root);
}

const endpoints = new Map<string, Endpoint>(
  endpointGroups.flatMap((group) => group.endpoints).map((one) => [`${one.method} ${one.path}`, one]),
);
const emptyData = new Map<Endpoint, Json>();

/** The call of a request, also with an id behind its path. */
function endpointOf({ method = 'GET', url = '' }: InjectOptions): Endpoint | undefined {
  const path = (typeof url === 'string' ? url : (url.pathname ?? '')).split('?')[0] ?? '';
  return endpoints.get(`${method} ${path}`) ?? endpoints.get(`${method} ${path.replace(/\/[^/]+\/?$/, '')}`);
}

function dataOf(endpoint: Endpoint): Json {
  const schema = jsonSchema(endpoint.data, 'output');
  if (!emptyData.has(endpoint)) emptyData.set(endpoint, emptyValue(schema, schema));
  return structuredClone(emptyData.get(endpoint) ?? null);
}

function responseWith(data: Json): LightMyRequestResponse {
  const envelope = { code: 0, data, msg: '' };
  const payload = JSON.stringify(envelope);
  const response = {
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    cookies: [],
    payload,
    body: payload,
  };
  return Object.assign(Object.create(null), response, {
    statusMessage: 'OK',
    rawPayload: Buffer.from(payload),
    json: () => JSON.parse(payload),
  });
}

/** The names of a test and its groups, outermost first. */
function titleOf(test: Test): string {
  const names = [test.name];
  for (let suite = test.suite; suite !== undefined; suite = suite.suite) names.unshift(suite.name);
  return names.filter((name) => name !== '').join(' > ');
}

/** More calls than any test sends: one that waits for what cannot happen asks for ever. */
const MAX_CALLS = 2_000;
const calls = new Map<string, number>();

/** Counts a call of a test, and notes the first one. */
function noteCall(called: string): void {
  const count = (calls.get(called) ?? 0) + 1;
  calls.set(called, count);
  if (count > MAX_CALLS) throw new Error('the test calls without end');
  const log = process.env.HARNESS_LOG;
  if (log !== undefined && count === 1) appendFileSync(log, `${JSON.stringify({ called })}\n`);
}

/** Whether a test itself runs, and not what prepares it or clears up after it. */
const isOwnCall = ({ result }: Test): boolean =>
  result?.state === 'run' && result.hooks?.beforeEach !== 'run' && result.hooks?.afterEach !== 'run';

// oxlint-disable-next-line typescript/unbound-method -- called with the client as `this` below
const send = TestClient.prototype.raw;

TestClient.prototype.raw = async function answerEmpty(request) {
  const test = TestRunner.getCurrentTest();
  const endpoint = endpointOf(request);
  // For what prepares tests, and for pages and files: the server.
  if (test === undefined || !isOwnCall(test) || endpoint === undefined) return await send.call(this, request);
  noteCall(`${relative(process.cwd(), test.file.filepath)} › ${titleOf(test)}`);
  // Lets the time limits of the test act.
  await new Promise(setImmediate);
  return responseWith(dataOf(endpoint));
};
