/**
 * Rules switched off, one at a time: the search must find what each of them keeps out. A mutant replaces a piece of one source file as it is
 * loaded, or of one SQL function in the market's own database; nothing of it stays. A piece that is not found any more is an error.
 */

/** A piece of text that is replaced: of a source file, or of the body of an SQL function. */
export type Change = ({ file: string } | { sql: string }) & { search: string; replace: string };

export interface Mutant {
  name: string;
  /** The rule that it switches off, in words. */
  rule: string;
  changes: readonly Change[];
  /** Acts that have to do with the rule are tried more often; the story is the search's own. */
  theme: string;
  /** Which promise breaks, where more than one may. */
  promise?: number;
}

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'open-early',
    rule: 'the buyer opens credentials after the login check and after shipping only',
    theme: 'cancel',
    changes: [
      {
        file: 'server/slices/orders/openings.ts',
        search: 'return o.status === 2 && !o.unchecked ? {',
        replace: 'return o.status !== 0 ? {',
      },
    ],
  },
  {
    name: 'cancel-after-opening',
    rule: 'after the buyer opened credentials a cancel needs the seller or a ruling',
    theme: 'cancel',
    changes: [
      {
        file: 'server/slices/orders/openings.ts',
        search: 'return o.status === 2 && !o.unchecked ? {',
        replace: 'return o.status !== 0 ? {',
      },
      {
        file: 'server/slices/orders/rules.ts',
        search: '(o.touched && !o.late) || o.buyerOpened || o.delivered',
        replace: '(o.touched && !o.late) || o.delivered',
      },
      {
        sql: 'order_step',
        search: 'and buyer_opened_at is null and delivered_at is null',
        replace: 'and delivered_at is null',
      },
    ],
  },
  {
    name: 'release-over-open-steps',
    rule: 'no money leaves escrow while a required step of the seller or of staff is open',
    theme: 'trade',
    promise: 2,
    changes: [
      {
        file: 'server/slices/orders/steps-gate.ts',
        search: "const blocking = name === 'ship' || name === 'confirm' ? open : blockingRelease(open);",
        replace: "const blocking = name === 'ship' || name === 'confirm' ? open : [];",
      },
      { sql: 'order_steps_done', search: "else h.actor <> 'buyer' end", replace: 'else false end' },
    ],
  },
  {
    name: 'ship-before-check',
    rule: 'shipping needs every step before it, the login check of staff among them',
    theme: 'trade',
    changes: [
      {
        file: 'server/slices/orders/steps-gate.ts',
        search: 'if (blocking.length > 0) throw',
        replace: "if (blocking.length > 0 && name !== 'ship') throw",
      },
      {
        sql: 'order_steps_done',
        search: 'case when p_to = 2 then h.before_ship',
        replace: 'case when p_to = 2 then false',
      },
      {
        file: 'server/slices/orders/openings.ts',
        search: 'return o.status === 2 && !o.unchecked ? {',
        replace: 'return o.status === 2 ? {',
      },
    ],
  },
];

/** A mutant by its name. Throws for an unknown one. */
export function mutantOf(name: string): Mutant {
  const found = MUTANTS.find((m) => m.name === name);
  if (!found) throw new Error(`there is no mutant ${name}`);
  return found;
}

/** A text with a piece replaced. Throws where the piece is not there exactly once. */
export function changed(text: string, { search, replace }: Change, where: string): string {
  const parts = text.split(search);
  if (parts.length !== 2) throw new Error(`${where} has "${search}" ${parts.length - 1} times`);
  return parts.join(replace);
}
