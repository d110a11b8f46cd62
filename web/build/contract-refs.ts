import { stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { codes } from '#contract/codes.ts';

const PREFIX = '\0contract-ref:';
/** Importers that check input by the contract's schemas (filters of lists, a brand, a game) and therefore load zod in the browser. */
const SCHEMA_USERS = /^(web\/layouts\/(backstage|shell)|subjects\/[^/]+\/staff\/)/;

/** Declarations of calls, by their alias. */
const CONTRACT = /^#(contract|subjects\/[a-z-]+\/contract)\/[a-z0-9-]+\.ts$/;
const WITHIN_CONTRACT = /^(contract|subjects\/[^/]+\/contract)\//;

const ERROR = /\bcodes\.([A-Z][A-Z\d_]*)\b(\[0\])?(?!\[)/g;

/**
 * An error of the contract as its number, in a tuple where the source uses the whole entry; an unknown name is left for
 * the compiler to reject.
 */
function numberOf(source: string, name: string, isNumber: string | undefined): string {
  const error = Object.entries(codes).find(([key]) => key === name)?.[1];
  if (!error) return source;
  return isNumber ? String(error[0]) : `[${error[0]}]`;
}

interface EndpointLike {
  method: string;
  path: string;
}

function isEndpoint(value: unknown): value is EndpointLike {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'input' in value;
}

/** Whether a value is plain data, which a chunk may contain as it is. */
function isPlain(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  return (
    typeof value === 'object' &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.values(value).every(isPlain)
  );
}

/**
 * What the browser receives of an export: an endpoint without its schemas, plain data unchanged, and nothing
 * else.
 */
function refOf(value: unknown): unknown {
  if (isPlain(value)) return value;
  if (!isEndpoint(value)) return undefined;
  const { input: _input, data: _data, summary: _summary, ...ref } = value as unknown as Record<string, unknown>;
  return ref;
}

type Exports = Readonly<Record<string, unknown>>;

/** The exports of a contract file. */
async function readExports(file: string): Promise<Exports> {
  const { mtimeMs } = await stat(file);
  return (await import(`${pathToFileURL(file).href}?v=${mtimeMs}`)) as Exports;
}

const FROM_CONTRACT = /^import \{([^}]*)\} from '#((?:contract|subjects\/[a-z-]+\/contract)\/[a-z0-9-]+\.ts)';$/gm;

/**
 * Replaces the endpoints that a module imports by constants, so that a page loads only those it calls. Types are removed; plain data stay
 * imports.
 */
export async function withEndpoints(code: string, exportsAt: (path: string) => Promise<Exports>): Promise<string> {
  let changed = code;
  for (const [whole, list = '', path = ''] of code.matchAll(FROM_CONTRACT)) {
    const exported = await exportsAt(path);
    const names = list.split(',').map((name) => name.trim());
    const isRef = (name: string): boolean => isEndpoint(exported[name.split(' as ')[0] ?? '']);
    const rest = names.filter((name) => name !== '' && !name.startsWith('type ') && !isRef(name));
    const own = names.filter(isRef).map((name) => {
      const [from = '', to = from] = name.split(' as ');
      return `const ${to} = ${JSON.stringify(refOf(exported[from]))};`;
    });
    const kept = rest.length > 0 ? [`import { ${rest.join(', ')} } from '#${path}';`] : [];
    // Keeps the number of lines, so that messages refer to the right ones.
    changed = changed.replace(whole, [...kept, ...own].join(' ') + '\n'.repeat(whole.split('\n').length - 1));
  }
  return changed;
}

/** The documentation of an endpoint, as a separate line and as the second argument of staffRead and staffWrite. */
const ABOUT = /^ {2}(?:summary|about):\s*'[^'\n]*',$/gm;
const STAFF_SUMMARY = /(?<=\bstaff(?:Read|Write)\(\s*'[^'\n]*',\s*)'[^'\n]*'/g;

/** A contract file without the texts that only the published document shows. */
export const withoutDocumentation = (code: string): string => code.replace(ABOUT, '').replace(STAFF_SUMMARY, "''");

/**
 * Gives browser code outside the back office each endpoint of a contract file without its zod schemas: the call helper
 * needs only the method and the path, and zod alone would be a tenth of a page's JavaScript. Types are unchanged, the
 * server build gets the real modules, and importing anything but an endpoint or plain data from a subject fails the build
 * with the bundler's own 'not exported' error. The rules contain no zod and are left alone. An error written as
 * `codes.X` or `codes.X[0]` is replaced by its number, so that no page loads the table of all errors with their texts. Pages that load the schemas
 * get them without the texts of the published document.
 */
export function contractRefs(): Plugin {
  let root = process.cwd();
  const pathOf = (id: string): string =>
    relative(root, id.split('?')[0] ?? '')
      .split(sep)
      .join('/');
  const usesSchemas = (path: string): boolean => SCHEMA_USERS.test(path) || WITHIN_CONTRACT.test(path);
  return {
    name: 'contract-refs',
    enforce: 'pre',
    configResolved(config) {
      root = config.root;
    },
    resolveId: {
      filter: { id: CONTRACT },
      handler(source, importer) {
        if (this.environment.name !== 'client' || !importer) return null;
        return usesSchemas(pathOf(importer)) ? null : `${PREFIX}${source.slice(1)}`;
      },
    },
    transform: {
      filter: {
        id: /\/(contract|web|subjects\/[^/]+\/(contract|web|center|staff))\/.*\.tsx?$/,
        code: /\bcodes\.[A-Z]|contract\/|endpoint/,
      },
      async handler(source, id) {
        if (this.environment.name !== 'client') return null;
        if (WITHIN_CONTRACT.test(pathOf(id))) return { code: withoutDocumentation(source), map: null };
        const code = source.replace(ERROR, numberOf);
        if (usesSchemas(pathOf(id))) return { code, map: null };
        const exportsAt = async (path: string): Promise<Exports> => {
          this.addWatchFile(join(root, path));
          return await readExports(join(root, path));
        };
        return { code: await withEndpoints(code, exportsAt), map: null };
      },
    },
    load: {
      filter: { id: /^\0contract-ref:/ },
      async handler(id) {
        const file = join(root, id.slice(PREFIX.length));
        this.addWatchFile(file);
        return Object.entries(await readExports(file))
          .filter(([, value]) => !isEndpoint(value))
          .map(([name, value]) => [name, refOf(value)] as const)
          .filter(([, ref]) => ref !== undefined)
          .map(([name, ref]) => `export const ${name} = ${JSON.stringify(ref)};`)
          .join('\n');
      },
    },
  };
}
