import { showValue } from '#subjects/games/rules/attr-text.ts';
import type { Field } from '#subjects/games/contract/games.ts';
import type { Account } from './model/features.ts';
import { type ModelBody, priceAt, valueOf } from './model/model.ts';

/** The deduction for a difference in one field, in basis points of the price; published before bidding starts. */
export interface Cut {
  field: string;
  label: string;
  /** The stated value, as text. */
  said: string;
  /** For a number: the deductions for other numbers, in ascending order, interpolated between them. */
  nodes?: { at: number; bp: number }[];
  /** For a single choice or yes/no: the deduction for each other value. */
  options?: Record<string, number>;
  /** For a multiple choice: the deduction for each missing option. */
  missing?: Record<string, number>;
}

const BP = 10_000;
/** Deductions when there are too few sales for a model: for a different choice, and for a number of zero. */
const PLAIN_CHOICE_BP = 300;
const PLAIN_NUMBER_BP = 3000;
/** Upper limit of the deductions of an inspection. */
export const MAX_CUT_BP = 9000;
const SHARES = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1, 1.25, 1.5, 2];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const keyOf = (value: unknown): string => (value === true ? 'yes' : value === false ? 'no' : String(value));

type Price = (value: unknown) => number | null;

function numberCut(field: Field, said: number, price: Price): Cut['nodes'] {
  const at = [
    ...new Set(
      SHARES.map((share) => Math.round(Math.max(field.min ?? 0, Math.min(field.max ?? said * 2, said * share)))),
    ),
  ];
  return at
    .toSorted((a, b) => a - b)
    .map((n) => {
      const bp = price(n);
      return { at: n, bp: bp ?? (n < said ? Math.round((PLAIN_NUMBER_BP * (said - n)) / Math.max(1, said)) : 0) };
    });
}

/** The published table of an account: one line for each field that was stated. `body` is the game's model, if there is one. */
export function cutsOf(fields: readonly Field[], account: Account, body: ModelBody | undefined): Cut[] {
  const base = body && priceAt(body, valueOf(body, account), 0.5);
  return fields.flatMap((field): Cut[] => {
    const said = account.attrs[field.key];
    if (said === undefined) return [];
    const price: Price = (value) =>
      body && base
        ? Math.max(
            0,
            Math.round(
              BP *
                (1 -
                  priceAt(body, valueOf(body, { ...account, attrs: { ...account.attrs, [field.key]: value } }), 0.5) /
                    base),
            ),
          )
        : null;
    const cut = { field: field.key, label: field.label, said: showValue(field, said, false) };
    if (field.kind === 'range' && typeof said === 'number')
      return [{ ...cut, nodes: numberCut(field, said, price) ?? [] }];
    if (field.kind === 'bool')
      return [{ ...cut, options: { [keyOf(said !== true)]: price(said !== true) ?? PLAIN_CHOICE_BP } }];
    if (field.kind === 'single') {
      const others = (field.options ?? []).filter((o) => String(o.v) !== keyOf(said));
      return [{ ...cut, options: Object.fromEntries(others.map((o) => [String(o.v), price(o.v) ?? PLAIN_CHOICE_BP])) }];
    }
    const chosen = Array.isArray(said) ? said.map(String) : isRecord(said) ? Object.keys(said) : [];
    const without = (key: string): unknown =>
      Array.isArray(said)
        ? said.filter((v) => String(v) !== key)
        : Object.fromEntries(Object.entries(isRecord(said) ? said : {}).filter(([k]) => k !== key));
    return [
      { ...cut, missing: Object.fromEntries(chosen.map((key) => [key, price(without(key)) ?? PLAIN_CHOICE_BP])) },
    ];
  });
}

function nodeBp(nodes: NonNullable<Cut['nodes']>, found: number): number {
  const above = nodes.findIndex((n) => n.at >= found);
  const to = above === -1 ? nodes.at(-1) : nodes[above];
  if (!to) return 0;
  const from = above <= 0 ? to : (nodes[above - 1] ?? to);
  const share = to.at === from.at ? 0 : (found - from.at) / (to.at - from.at);
  // Rounded up to a whole basis point, so that the table is never lower than the published deduction.
  return Math.ceil(from.bp + (to.bp - from.bp) * share - 1e-9);
}

/** The deduction for the inspected value of a field, in basis points, by the published line. */
export function cutBp(cut: Cut, found: unknown): number {
  if (cut.nodes) return typeof found === 'number' ? nodeBp(cut.nodes, found) : (cut.nodes[0]?.bp ?? 0);
  if (cut.options) return cut.options[keyOf(found)] ?? 0;
  const has = new Set(Array.isArray(found) ? found.map(String) : isRecord(found) ? Object.keys(found) : []);
  return Object.entries(cut.missing ?? {}).reduce((sum, [key, bp]) => sum + (has.has(key) ? 0 : bp), 0);
}
