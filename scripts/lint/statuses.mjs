/**
 * A lint rule: states are named, never numbers. A number below 100 beside something called status is an error; from 100 on it is a status of
 * HTTP. The names stand in contract/rules/statuses.ts and contract/rules/order-status.ts.
 */
const COMPARES = new Set(['===', '!==', '==', '!=', '<', '>', '<=', '>=']);
const LEAST_OF_HTTP = 100;

const nameOf = (node) => {
  if (node.type === 'ChainExpression') return nameOf(node.expression);
  if (node.type === 'Identifier') return node.name;
  return node.type === 'MemberExpression' && !node.computed ? node.property.name : '';
};
const isStatus = (node) => /status$/i.test(nameOf(node));
const isState = (node) => {
  const literal = node.type === 'UnaryExpression' ? node.argument : node;
  return literal.type === 'Literal' && typeof literal.value === 'number' && literal.value < LEAST_OF_HTTP;
};

export default {
  meta: { name: 'youshi' },
  rules: {
    'named-status': {
      create: (context) => ({
        BinaryExpression(node) {
          if (!COMPARES.has(node.operator)) return;
          const { left, right } = node;
          if ((isStatus(left) && isState(right)) || (isStatus(right) && isState(left)))
            context.report({ node, message: 'Name the state: contract/rules/statuses.ts' });
        },
      }),
    },
  },
};
