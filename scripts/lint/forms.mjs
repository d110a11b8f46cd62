/**
 * Lint rules about errors and forms (docs/decisions/227).
 * - no-chinese-match: code must not depend on the content of a Chinese sentence; errors are identified by code and field.
 * - no-busy-flag: whether a call is in progress comes from useMutation or useCursorList, never from a hand-written flag.
 * - named-code: an error code is imported from contract/codes.ts, never written as a number.
 */
const HAN = /\p{Script=Han}/u;
const MATCHERS = new Set(['includes', 'startsWith', 'endsWith', 'indexOf', 'match', 'search']);
const COMPARES = new Set(['===', '!==', '==', '!=', '<', '>', '<=', '>=']);
const MIN_CODE = 1000;
const BUSY = /^(is)?(busy|busyAll|saving|submitting|loading|working)$/i;

const nameOf = (node) => {
  if (node.type === 'ChainExpression') return nameOf(node.expression);
  if (node.type === 'Identifier') return node.name;
  return node.type === 'MemberExpression' && !node.computed ? node.property.name : '';
};

function isChinese(node) {
  if (node?.type === 'TemplateLiteral') return node.quasis.some(({ value }) => HAN.test(value.raw));
  if (node?.type !== 'Literal') return false;
  return HAN.test(node.regex ? node.regex.pattern : String(node.value));
}

const isNumber = (node) => node.type === 'Literal' && typeof node.value === 'number' && node.value >= MIN_CODE;
const isCode = (node) => nameOf(node) === 'code';
const isMessage = (node) => node !== undefined && /(^|[a-z])(msg|message|text)$/i.test(nameOf(node));

export default {
  meta: { name: 'forms' },
  rules: {
    'no-chinese-match': {
      create: (context) => ({
        CallExpression(node) {
          const { callee, arguments: given } = node;
          if (callee.type !== 'MemberExpression' || callee.computed) return;
          const method = callee.property.name;
          // A label in a variable is a sentence's word as well.
          const isSearched =
            /^(msg|message)$/.test(nameOf(callee.object)) && given[0] !== undefined && given[0].type !== 'Literal';
          const isFound = MATCHERS.has(method) && (isChinese(given[0]) || isSearched);
          const isTested = method === 'test' && isChinese(callee.object) && isMessage(given[0]);
          if (isFound || isTested)
            context.report({ node, message: 'Do not match on message text: compare the error code or field' });
        },
        BinaryExpression(node) {
          const { operator, left, right } = node;
          const isCompared = (isMessage(left) && isChinese(right)) || (isMessage(right) && isChinese(left));
          if (COMPARES.has(operator) && isCompared)
            context.report({ node, message: 'Do not match on message text: compare the error code or field' });
        },
      }),
    },
    'no-busy-flag': {
      create: (context) => ({
        VariableDeclarator({ id, init }) {
          const isState = init?.type === 'CallExpression' && nameOf(init.callee) === 'useState';
          const [name] = id.type === 'ArrayPattern' ? id.elements : [];
          if (isState && name && BUSY.test(nameOf(name)))
            context.report({
              node: name,
              message: 'Use useMutation for writes and useCursorList for lists (CONTRIBUTING.md)',
            });
        },
      }),
    },
    'named-code': {
      create: (context) => ({
        BinaryExpression(node) {
          if (!COMPARES.has(node.operator)) return;
          const { left, right } = node;
          if ((isCode(left) && isNumber(right)) || (isCode(right) && isNumber(left)))
            context.report({ node, message: 'Import the code: codes of contract/codes.ts' });
        },
      }),
    },
  },
};
