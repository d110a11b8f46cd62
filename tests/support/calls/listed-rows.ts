/** The lists in the responses of calls, found by the schemas of the contract. */
import type { Endpoint } from '#contract/endpoint.ts';
import { jsonSchema } from '#server/http/openapi/openapi-schema.ts';

type Node = { [key: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

function* pathsIn(node: unknown, path: string): Generator<string> {
  if (!isNode(node)) return;
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const options = node[key];
    if (Array.isArray(options)) for (const option of options) yield* pathsIn(option, path);
  }
  const items = node.items;
  if (isNode(items) && JSON.stringify(items).includes('"properties"')) yield path;
  const properties = node.properties;
  if (isNode(properties))
    for (const [name, inner] of Object.entries(properties))
      yield* pathsIn(inner, path === '' ? name : `${path}.${name}`);
}

/** The outermost lists of objects in a call's response, as paths: 'list', 'view.events'; '' for a response that is a list itself. */
export const listPaths = (endpoint: Endpoint): string[] => [
  ...new Set(pathsIn(jsonSchema(endpoint.data, 'output'), '')),
];

/** The rows of a list in a response; none where it or the object around it is missing. */
export function rowsAt(data: unknown, path: string): unknown[] {
  const found =
    path === '' ? data : path.split('.').reduce<unknown>((node, name) => (isNode(node) ? node[name] : undefined), data);
  return Array.isArray(found) ? found : [];
}
