/**
 * Lint rules: states and types are named, never numbers. The names are in contract/rules/statuses.ts, subjects/orders/rules/order-status.ts,
 * subjects/orders/rules/order-types.ts and others of those folders.
 * - `named-status`: a number below 100 that something called status, type id or site id is compared with, alone or in a list
 *   (`[0, 1].includes(status)`); from 100 on it is a status of HTTP.
 * - `named-status-value`: such a number as a value, in a property (`status: 2`) or in a table of transitions (`from: [0], to: 1`).
 * - `named-status-sql`: the same in the text of a statement, as `status = 2`, `type_id in (1, 2)` and `case o.status when 1`.
 * - `exhaustive-table`: a table by a number (`Record<number, …>`) is checked against its states or types with `satisfies Record<OrderStatus, …>`, or
 *   `Partial<…>` if the others have no entry, so that a new state is not silently left to a default.
 * - `own-status`: a constant with the name and value of a state, as `const ON_SALE = 2`: it would hide the number from the rules above.
 */
const COMPARES = new Set(['===', '!==', '==', '!=', '<', '>', '<=', '>=']);
const MIN_HTTP_STATUS = 100;
const IN_SQL =
  /\b(?:\w+_)?(?:status|type_id|dist_id|group_type)(?:, ?\d+\))?(?:\s*(?:=|<>|!=|<=|>=|<|>)|\s+(?:not\s+)?in\s*\(|\s+when|\s+between|\s+is\s+(?:not\s+)?distinct\s+from)\s*\d{1,2}\b/;
const STATES = new Set(
  [
    ['draft reviewing on_sale off_sale locked sold rejected hidden removed', 0],
    ['unpaid paid shipped completed', 0],
    ['none reviewing verified rejected', 0],
    ['active restricted closed', 1],
    ['pending paid closed', 0],
    ['pending paying paid returned', 0],
    ['draft published withdrawn', 0],
    ['on off', 1],
    ['on_sale off_sale removed', 1],
    ['open closed', 1],
  ].flatMap(([names, first]) => names.split(' ').map((name, index) => `${name.toUpperCase()}=${first + index}`)),
);
const MORE = new Set(['DELETED=3', 'CLOSED=3', 'REMOVED=3', 'CANCELLED=7', 'PLATFORM=1', 'PLATFORM_DIST=1']);

const nameOf = (node) => {
  if (node.type === 'ChainExpression' || node.type === 'TSNonNullExpression') return nameOf(node.expression);
  if (node.type === 'Identifier') return node.name;
  return node.type === 'MemberExpression' && !node.computed ? node.property.name : '';
};
const NAMED = /(?:status|typeId|type_id|distId|dist_id|groupType)$/i;
const isStatus = (node) => NAMED.test(nameOf(node));
const isState = (node) => {
  const literal = node.type === 'UnaryExpression' ? node.argument : node;
  return literal.type === 'Literal' && typeof literal.value === 'number' && literal.value < MIN_HTTP_STATUS;
};
const isStates = (node) =>
  node.type === 'ArrayExpression' &&
  node.elements.length > 0 &&
  node.elements.every((one) => one !== null && isState(one));
const keyOf = (property) =>
  property.type === 'Property' && !property.computed ? (property.key.name ?? property.key.value) : '';
/** The value without `as const` and its like. */
const valueOf = (node) =>
  node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression' ? valueOf(node.expression) : node;
/** `Record<number, …>`, also inside `Readonly<…>`. */
const isNumberRecord = (type) => {
  if (type?.type !== 'TSTypeReference') return false;
  const first = type.typeArguments?.params[0];
  if (type.typeName.name === 'Readonly') return isNumberRecord(first);
  return type.typeName.name === 'Record' && first?.type === 'TSNumberKeyword';
};
const MESSAGE = 'Name the state: contract/rules/statuses.ts, or the type: subjects/orders/rules/order-types.ts';

export default {
  meta: { name: 'youshi' },
  rules: {
    'named-status': {
      create: (context) => ({
        BinaryExpression(node) {
          if (!COMPARES.has(node.operator)) return;
          const { left, right } = node;
          if ((isStatus(left) && isState(right)) || (isStatus(right) && isState(left)))
            context.report({ node, message: MESSAGE });
        },
        CallExpression(node) {
          const { callee, arguments: given } = node;
          if (callee.type !== 'MemberExpression' || callee.computed || callee.property.name !== 'includes') return;
          if (given.length === 1 && isStatus(given[0]) && isStates(valueOf(callee.object)))
            context.report({ node, message: MESSAGE });
        },
      }),
    },
    'named-status-value': {
      create: (context) => ({
        ObjectExpression(node) {
          const isTransition = node.properties.some(
            (one) => keyOf(one) === 'from' && valueOf(one.value).type === 'ArrayExpression',
          );
          for (const property of node.properties) {
            const key = keyOf(property);
            if (!NAMED.test(key) && !(isTransition && (key === 'from' || key === 'to'))) continue;
            const value = valueOf(property.value);
            if (isState(value) || isStates(value)) context.report({ node: property, message: MESSAGE });
          }
        },
      }),
    },
    'named-status-sql': {
      create: (context) => ({
        TemplateLiteral(node) {
          if (node.quasis.some(({ value }) => IN_SQL.test(value.raw)))
            context.report({ node, message: `${MESSAGE}, as \${sql.lit(GoodsStatus.OnSale)}` });
        },
        Literal(node) {
          if (typeof node.value === 'string' && node.value.includes(' ') && IN_SQL.test(node.value))
            context.report({ node, message: MESSAGE });
        },
      }),
    },
    'exhaustive-table': {
      create: (context) => ({
        VariableDeclarator(node) {
          const { id, init } = node;
          if (init?.type !== 'ObjectExpression' || !isNumberRecord(id.typeAnnotation?.typeAnnotation)) return;
          const isCode = ({ key }) => !(key?.type === 'Literal' && Number(key.value) >= MIN_HTTP_STATUS);
          if (init.properties.some(isCode))
            context.report({
              node,
              message: 'Add `satisfies Record<…>` of the states or types that the table is about',
            });
        },
      }),
    },
    'own-status': {
      create: (context) => ({
        VariableDeclarator(node) {
          const { id, init } = node;
          if (id.type !== 'Identifier' || init?.type !== 'Literal' || typeof init.value !== 'number') return;
          const pair = `${id.name}=${init.value}`;
          if (STATES.has(pair) || MORE.has(pair)) context.report({ node, message: MESSAGE });
        },
      }),
    },
  },
};
