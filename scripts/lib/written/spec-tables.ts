/** docs/spec/routes.md and docs/spec/endpoints.md, made from the map of pages and the registry of calls. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpointGroups, endpoints } from '#contract/registry.ts';
import { sourceOf, urlMap, type UrlEntry } from '#web/lib/pages/url-map.ts';

/** The specification's list of calls, which a test compares with the registry. */
const SPECIFIED = 'tests/support/calls/endpoints.tsv';
const HOW = 'Written by `node scripts/generate/spec-tables.ts`; never edited by hand.';

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const routeRow = ({ path, name, access, layout, file }: UrlEntry): string[] => [
  `\`${path}\``,
  name,
  access,
  layout,
  `\`${sourceOf(file)}\``,
];

/** Every page by section, in the order of the map. */
function routesPage(): string {
  const sections = [...new Set(urlMap.map(({ section }) => section))].map((section) => {
    const rows = urlMap.filter((entry) => entry.section === section).map(routeRow);
    return `## ${section}\n\n${table(['address', 'page', 'who', 'layout', 'file'], rows)}\n`;
  });
  return `# Pages

${HOW} The source is \`web/lib/pages/url-map.ts\`, from which the router is built.

${urlMap.length} pages. \`who\`: \`public\` is everybody, \`login\` a signed-in user, \`isQuickShop\`, \`isBooster\` and \`isAccompanyer\` a user with that role, \`staff\` a member of staff, on the back
office's own host only. A part of an address that begins with \`:\` is a value, one that ends with \`?\` may be absent. The requirements are in [product.md](product.md), section 2.

${sections.join('\n')}`;
}

/** The calls that the specification names, as 'GET /api/…', without the slash and the id at the end. */
function specifiedCalls(): ReadonlySet<string> {
  const lines = readFileSync(join(import.meta.dirname, '../../..', SPECIFIED), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  return new Set(
    lines.map((line) => {
      const [, method = '', path = ''] = line.split('\t');
      return `${method} ${path.replace(/(\/\{\w+\}u?)?\/?$/, '')}`;
    }),
  );
}

const byPath = (a: Endpoint, b: Endpoint): number => (a.path < b.path ? -1 : 1);

const endpointRow = (endpoint: Endpoint, specified: ReadonlySet<string>): string[] => {
  const { method, path, auth, summary, idField } = endpoint;
  return [
    method,
    `\`${path}${idField === undefined ? '' : `/{${idField}}`}\``,
    auth,
    specified.has(`${method} ${path}`) ? 'yes' : '',
    summary,
  ];
};

/** Every call by group, in the order of their paths: that of the registry depends on how modules are loaded. */
function endpointsPage(): string {
  const specified = specifiedCalls();
  const groups = endpointGroups.map(
    ({ title, endpoints: calls }) =>
      `## ${title}\n\n${table(
        ['method', 'path', 'who', 'specified', 'what it does'],
        calls.toSorted(byPath).map((endpoint) => endpointRow(endpoint, specified)),
      )}\n`,
  );
  const count = endpoints.filter(({ method, path }) => specified.has(`${method} ${path}`)).length;
  return `# Calls

${HOW} The source is \`contract/registry.ts\`, from which \`/api/openapi.json\` is built; inputs and answers are at \`/api/docs\` of a running market.

${endpoints.length} calls, of which the requirements name ${count}. \`who\`: \`public\` is everybody, \`login\` a signed-in user, \`staff\` a member of staff, \`key\` a seller's program. An id at the end of a path may also be a
field of the query. The rules of all calls are in [product.md](product.md), section 7, and [conventions.md](conventions.md).

${groups.join('\n')}`;
}

/** The generated pages by their path in the repository. */
export const specTables = (): Readonly<Record<string, string>> => ({
  'docs/spec/routes.md': routesPage(),
  'docs/spec/endpoints.md': endpointsPage(),
});
