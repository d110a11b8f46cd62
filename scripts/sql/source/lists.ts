/** Follows list operations on the way to a statement: `map`, `filter`, `push`, `Object.entries` and their like. */
import { ts } from 'ts-morph';
import { type Alt, ALWAYS, type Bound, combine, type Env, type Evaluator, few, merge, under } from './values.ts';

type List = Extract<Alt['value'], { kind: 'list' }>;

export const listOf = (items: readonly (readonly Alt[])[]): List => ({ kind: 'list', items });

const textAlt = (text: string): Alt => ({ value: { kind: 'text', text }, when: ALWAYS });

/** A value of the running program, of which nothing is known. */
export const opaque = (node: ts.Node): Alt => ({ value: { kind: 'opaque', node }, when: ALWAYS });

/** An array literal: items in their order, those of a spread list among them. */
export function arrayLiteral(e: Evaluator, node: ts.ArrayLiteralExpression, env: Env): Alt[] {
  const items = node.elements.flatMap((element): Alt[][] => {
    if (!ts.isSpreadElement(element)) return [few(e.evaluate(element, env))];
    return spread(e.evaluate(element.expression, env), element);
  });
  return [{ value: listOf(items), when: ALWAYS }];
}

/** The items of a list that may be one of several lists: each exists under the conditions of its list. */
function spread(alts: readonly Alt[], node: ts.Node): Alt[][] {
  return alts.flatMap(({ value, when }): Alt[][] => {
    if (value.kind === 'absent') return [];
    if (value.kind !== 'list') return [[{ ...opaque(node), when }]];
    return value.items.map((item) => [...under(item, when), ...without(alts, when)]);
  });
}

/** The absence of an item wherever its list is another one than the one under `when`. */
function without(alts: readonly Alt[], when: Alt['when']): Alt[] {
  return alts.flatMap((other): Alt[] =>
    merge(other.when, when) && other.when !== when ? [] : other.when === when ? [] : [absent(other.when)],
  );
}

export const absent = (when: Alt['when']): Alt => ({ value: { kind: 'absent' }, when });

/** Key and value of each property of an object literal. */
function properties(
  e: Evaluator,
  value: Extract<Alt['value'], { kind: 'object' }>,
): { key: string; alts: () => Alt[] }[] {
  return value.node.properties.flatMap((property) => {
    if (!property.name || ts.isComputedPropertyName(property.name)) return [];
    const key = property.name.text;
    if (ts.isPropertyAssignment(property)) {
      const { initializer } = property;
      return [{ key, alts: () => e.evaluate(initializer, value.env) }];
    }
    return [{ key, alts: () => [opaque(property)] }];
  });
}

/** `Object.keys`, `values` and `entries` of an object literal; opaque for any other object. */
export function ofObject(e: Evaluator, what: string, alts: readonly Alt[], at: ts.Node): Alt[] {
  return alts.map(({ value, when }): Alt => {
    if (value.kind !== 'object') return { ...opaque(at), when };
    const items = properties(e, value).map(({ key, alts: own }): Alt[] => {
      if (what === 'keys') return [textAlt(key)];
      if (what === 'values') return own();
      return [{ value: listOf([[textAlt(key)], own()]), when: ALWAYS }];
    });
    return { value: listOf(items), when };
  });
}

/** One of the items of a list, a choice that is remembered under `id`. */
export function anyOf(alts: readonly Alt[], id: string, at: ts.Node): Alt[] {
  return alts.flatMap(({ value, when }): Alt[] => {
    if (value.kind !== 'list') return [{ ...opaque(at), when }];
    return value.items.flatMap((item, index) =>
      under(
        item.filter((alt) => alt.value.kind !== 'absent'),
        merge(when, { [id]: { eq: String(index) } }) ?? when,
      ),
    );
  });
}

interface ListCall {
  name: string;
  node: ts.CallExpression;
  env: Env;
}

/** Evaluates a function for one item; several items of an opaque list are one. */
function mapped(e: Evaluator, item: readonly Alt[], { node, env }: ListCall, index: number): Alt[] {
  const [callback] = node.arguments;
  if (!callback) return [opaque(node)];
  const bound: Bound = { alts: item, id: `${node.getStart()}#${index}` };
  const location: Bound = { alts: [textAlt(String(index))], id: String(index) };
  return e.evaluate(callback, env).flatMap(({ value, when }) => {
    if (value.kind !== 'function') return [{ ...opaque(node), when }];
    return under(e.call(value, [bound, location], node), when);
  });
}

/** A method of a list that is known to its items; undefined for methods that say nothing about them. */
export function listMethod(e: Evaluator, alt: Alt, call: ListCall): Alt[] | undefined {
  const { value, when } = alt;
  const { name, node, env } = call;
  const items = value.kind === 'list' ? value.items : value.kind === 'opaque' ? [[opaque(value.node)]] : undefined;
  if (!items) return undefined;
  switch (name) {
    case 'map':
      return [{ value: listOf(items.map((item, index) => mapped(e, item, call, index))), when }];
    case 'flatMap':
      return [{ value: listOf(items.flatMap((item, index) => spread(mapped(e, item, call, index), node))), when }];
    case 'filter':
    case 'toSorted':
    case 'slice':
    case 'toReversed':
      return [alt];
    case 'concat':
      return [{ value: listOf([...items, ...node.arguments.flatMap((a) => spread(e.evaluate(a, env), node))]), when }];
    case 'find':
    case 'at':
      return anyOf([alt], `${e.canon(node, env)}`, node);
    case 'join':
      return value.kind === 'list' ? joinTexts(e, value, call, when) : undefined;
    default:
      return undefined;
  }
}

/** `join` of a list of texts; undefined when some item is no text. */
function joinTexts(e: Evaluator, value: List, { node, env }: ListCall, when: Alt['when']): Alt[] | undefined {
  const [separator] = node.arguments;
  const between = separator ? e.texts(separator, env).map(({ text }) => text)[0] : ',';
  const columns = value.items.map((item) =>
    item.map((one) => ({ text: one.value.kind === 'text' ? one.value.text : undefined, when: one.when })),
  );
  if (columns.some((column) => column.some(({ text }) => text === undefined))) return undefined;
  return combine([[{ text: '', when }], ...columns]).map(({ picked: [, ...texts], when: both }) => ({
    value: { kind: 'text', text: texts.map(({ text }) => text).join(between) },
    when: both,
  }));
}

/** A method of a known text; undefined for one that is not followed. */
export function textMethod(text: string, name: string, args: readonly string[]): Alt | undefined {
  const [first = ''] = args;
  switch (name) {
    case 'trim':
      return textAlt(text.trim());
    case 'toLowerCase':
      return textAlt(text.toLowerCase());
    case 'toUpperCase':
      return textAlt(text.toUpperCase());
    case 'split':
      return { value: listOf(text.split(first).map((part) => [textAlt(part)])), when: ALWAYS };
    default:
      return undefined;
  }
}
