import type { GoodsTypeId, StepSeed } from '#db/catalogue/types.ts';
import { columns } from '../bulk.ts';
import type { Market } from '../market.ts';
import { gameOf } from '../goods/values.ts';

export const HANDOVER_COLUMNS = columns(
  `order_id bigint, step smallint, key text, title text, actor text, minutes int, required boolean, before_ship boolean, evidence boolean,
  secret boolean, fields jsonb, exchange text, explain text, pictures jsonb, done_by text, done_at timestamptz`,
);

export interface HandoverSeed {
  orderId: number;
  gameId: number;
  typeId: number;
  /** Done steps are spread evenly between these two moments, in minutes before now. */
  doneAgo: { from: number; to: number };
  /** The actor, as in the steps' record: 'user:10001', 'staff:101'. */
  doers: Readonly<Record<'seller' | 'buyer' | 'staff', string>>;
  /** How many of the steps are done, from the first. */
  doneSteps: number;
  /** Boosting in which the buyer plays along: nothing is sealed. */
  together?: boolean;
}

/** The catalogue's steps for a goods type: the steps of accounts, or of the type's delivery. */
export function stepsOf(gameId: number, typeId: number): readonly StepSeed[] {
  const game = gameOf(gameId);
  const own = game.deliveries.find((d) => d.goodsTypes.includes(typeId as GoodsTypeId));
  return own?.steps ?? game.handover;
}

/** An order's copy of the steps, of which the first `doneSteps` are done. */
export function handoverRows(market: Market, seed: HandoverSeed): unknown[][] {
  const steps = stepsOf(seed.gameId, seed.typeId).filter((s) => !(seed.together && s.secret));
  const { from, to } = seed.doneAgo;
  return steps.map((s, i) => {
    const done = i < seed.doneSteps;
    const at = market.ago(from - ((from - to) * (i + 1)) / (steps.length + 1));
    return [
      seed.orderId,
      i + 1,
      s.key,
      s.title,
      s.actor,
      s.minutes,
      s.required,
      s.beforeShip,
      s.evidence,
      s.secret ?? false,
      s.fields ?? [],
      s.exchange ?? null,
      s.explain,
      [],
      done ? seed.doers[s.actor] : null,
      done ? at : null,
    ];
  });
}
