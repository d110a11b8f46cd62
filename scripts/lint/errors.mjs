/**
 * A lint rule: the texts of errors that many things share are in one map, contract/error-texts.ts. `errorOf('NOT_FOUND', 'game')` instead of
 * `new AppError('NOT_FOUND', { text: '…' })`; a text with values in it stays where its values are.
 */
const SHARED = new Set(['NOT_FOUND', 'ORDER_STATE', 'GOODS_STATE']);

const textOf = (options) =>
  options?.type === 'ObjectExpression'
    ? options.properties.find((one) => one.type === 'Property' && one.key.name === 'text')?.value
    : undefined;

export default {
  meta: { name: 'errors' },
  rules: {
    'text-in-map': {
      create: (context) => ({
        NewExpression(node) {
          const [code, options] = node.arguments;
          if (node.callee.name !== 'AppError' || code?.type !== 'Literal' || !SHARED.has(code.value)) return;
          const text = textOf(options);
          if (text?.type === 'Literal')
            context.report({ node: text, message: 'Put the text into contract/error-texts.ts and call errorOf' });
        },
      }),
    },
  },
};
