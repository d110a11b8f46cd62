/**
 * A lint rule: the tables behind the effects have one writer. A text that writes `outbox` or `timer` anywhere but in server/jobs is an error: an
 * event or job written elsewhere has no registered name, and its payload is not checked.
 */
const WRITES =
  /\b(?:insert\s+into|update|delete\s+from|truncate(?:\s+table)?|merge\s+into)\s+(?:only\s+)?(?:public\.)?"?(?:outbox|timer|dead_letter)\b(?!_)/i;
const BUILDS = new Set(['insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'replaceInto']);
const TABLE = /^(?:public\.)?(?:outbox|timer|dead_letter)\b/;
const MESSAGE =
  'Write events and timers only through server/jobs/effect-writer.ts: emit, schedule and the other functions';

export default {
  meta: { name: 'effects' },
  rules: {
    'one-writer': {
      create: (context) => ({
        TemplateLiteral(node) {
          // Values stand between the pieces: a name that is put together is found as well.
          const text = node.quasis.map(({ value }) => value.raw).join(' ');
          if (WRITES.test(text)) context.report({ node, message: MESSAGE });
        },
        Literal(node) {
          if (typeof node.value === 'string' && WRITES.test(node.value)) context.report({ node, message: MESSAGE });
        },
        CallExpression(node) {
          const { callee, arguments: given } = node;
          if (callee.type !== 'MemberExpression' || callee.computed || !BUILDS.has(callee.property.name)) return;
          const [table] = given;
          if (table?.type === 'Literal' && TABLE.test(String(table.value))) context.report({ node, message: MESSAGE });
        },
      }),
    },
  },
};
