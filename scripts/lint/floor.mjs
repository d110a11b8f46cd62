/**
 * Lint rules for what browsers of the floor can do (docs/BROWSERS.md).
 * - no-newer-api: functions of the browser that Chromium 109, Safari 16.4 or Firefox 121 lack and `web/older/older.js` does not add. What the
 *   language itself got later is refused by the type checker, whose library is ES2022 there.
 * - popover-open: a selector with `:popover-open` outside of `:is()` throws where popovers are unknown.
 * - pressed-key: handlers read the key by `pressedKey`, which knows of input methods.
 */
const NEWER_STATIC = new Set([
  'AbortSignal.any',
  'Array.fromAsync',
  'Error.isError',
  'Intl.DurationFormat',
  'Intl.Segmenter',
  'Iterator.from',
  'Promise.try',
  'Promise.withResolvers',
  'RegExp.escape',
  'URL.parse',
  'document.startViewTransition',
]);
const NEWER_METHODS = new Set([
  'checkVisibility',
  'difference',
  'getHTML',
  'getOrInsert',
  'getOrInsertComputed',
  'intersection',
  'isDisjointFrom',
  'isSubsetOf',
  'isSupersetOf',
  'moveBefore',
  'requestClose',
  'setHTMLUnsafe',
  'symmetricDifference',
  'toWellFormed',
  'union',
]);
const NEWER_GLOBALS = new Set(['Iterator', 'navigation', 'requestIdleCallback', 'scheduler']);
const BARE_POPOVER = /(?<!:is\():popover-open/;
const EVENT = /^(?:event|e|ev|press)$/;

const message = (name) => `${name} is newer than the floor of browsers (docs/BROWSERS.md)`;

export default {
  meta: { name: 'floor' },
  rules: {
    'no-newer-api': {
      create: (context) => ({
        MemberExpression(node) {
          if (node.computed || node.object.type !== 'Identifier') return;
          const name = `${node.object.name}.${node.property.name}`;
          const isGlobal = node.object.name === 'window' && NEWER_GLOBALS.has(node.property.name);
          if (NEWER_STATIC.has(name) || isGlobal) context.report({ node, message: message(name) });
        },
        CallExpression(node) {
          const { callee } = node;
          const name = callee.type === 'Identifier' ? callee.name : callee.property?.name;
          const isNewer =
            callee.type === 'Identifier'
              ? NEWER_GLOBALS.has(name)
              : callee.type === 'MemberExpression' &&
                !callee.computed &&
                NEWER_METHODS.has(name) &&
                // Schemas of zod are no sets.
                callee.object.name !== 'z';
          if (isNewer) context.report({ node, message: message(name) });
        },
      }),
    },
    'popover-open': {
      create: (context) => ({
        Literal(node) {
          if (typeof node.value === 'string' && BARE_POPOVER.test(node.value))
            context.report({ node, message: 'Write :is(:popover-open): alone it throws in older browsers' });
        },
      }),
    },
    'pressed-key': {
      create: (context) => ({
        MemberExpression(node) {
          const { object, property, computed } = node;
          const isKey = !computed && (property.name === 'key' || property.name === 'isComposing');
          if (isKey && object.type === 'Identifier' && EVENT.test(object.name))
            context.report({ node, message: 'Read the key by pressedKey(event) (web/lib/forms/pressed-key.ts)' });
        },
      }),
    },
  },
};
