/**
 * A lint rule: data that a server keeps in memory belongs to its context (server/caches.ts). A cache, an empty collection or a variable at the top of
 * a module is shared by all contexts of a process, has no place where it is dropped, and is counted by nothing.
 */
const CACHES = new Set(['WeakMap', 'WeakSet', 'TtlCache', 'StaleWhileRevalidate', 'BoundedMap']);
const COLLECTIONS = new Set(['Map', 'Set']);
const MESSAGE = 'Module-level caches are forbidden: declare a cacheKind (server/caches.ts)';

/** An object that is filled later: a cache of any kind, or a collection without first entries. */
function isKept(node) {
  if (node?.type === 'TSAsExpression' || node?.type === 'TSSatisfiesExpression') return isKept(node.expression);
  if (node?.type !== 'NewExpression' || node.callee.type !== 'Identifier') return false;
  return CACHES.has(node.callee.name) || (COLLECTIONS.has(node.callee.name) && node.arguments.length === 0);
}

export default {
  meta: { name: 'caches' },
  rules: {
    'of-context': {
      create: (context) => ({
        Program({ body }) {
          for (const statement of body) {
            const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
            if (declared?.type !== 'VariableDeclaration') continue;
            for (const node of declared.declarations)
              if (declared.kind !== 'const' || isKept(node.init)) context.report({ node, message: MESSAGE });
          }
        },
      }),
    },
  },
};
