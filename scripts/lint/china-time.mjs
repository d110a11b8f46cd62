/**
 * A lint rule: China's clock and calendar are read only by contract/rules/time/china-time.ts. An offset that is written out is soon forgotten
 * somewhere, and a day that is cut off an ISO time is a day of UTC, which begins at 08:00 in China.
 */
const HOURS = 8;
const HOUR_MS = 3_600_000;
const MESSAGE =
  'Read the clock in China by contract/rules/time/china-time.ts (chinaClock, chinaDay, dayStart, dayAfter)';

const numbers = ({ left, right }) => [left.value, right.value];
const nameOf = ({ callee }) => (callee.type === 'MemberExpression' ? callee.property.name : undefined);

/** `….toISOString().slice(0, 10)` */
function isDayOfUtc(node) {
  if (nameOf(node) !== 'slice' || node.arguments[1]?.value !== 10) return false;
  const { object } = node.callee;
  return object.type === 'CallExpression' && nameOf(object) === 'toISOString';
}

export default {
  meta: { name: 'china-time' },
  rules: {
    'one-clock': {
      create: (context) => ({
        BinaryExpression(node) {
          const sides = numbers(node);
          if (node.operator === '*' && sides.includes(HOURS) && sides.includes(HOUR_MS))
            context.report({ node, message: MESSAGE });
        },
        CallExpression(node) {
          if (isDayOfUtc(node)) context.report({ node, message: MESSAGE });
        },
      }),
    },
  },
};
