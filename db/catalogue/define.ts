import { areas, type FieldDraft, goodsTypes, inOrder } from './build.ts';
import { deliveriesFor } from './handover.ts';
import type { GameSeed, GoodsTypeId } from './types.ts';

export type GameDraft = Omit<GameSeed, 'goodsTypes' | 'areas' | 'fields' | 'deliveries' | 'defaultGoodsTypeId'> & {
  types: GoodsTypeId[];
  defaultType?: GoodsTypeId;
  regions: readonly (readonly [name: string, servers?: readonly string[]])[];
  fields: FieldDraft[];
};

/** Completes a game: ids of its areas and servers, names of its goods types, order of its fields, steps of its deliveries. */
export function defineGame({ types, defaultType, regions, fields, ...rest }: GameDraft): GameSeed {
  return {
    ...rest,
    defaultGoodsTypeId: defaultType ?? 1,
    goodsTypes: goodsTypes(...types),
    areas: areas(rest.id, regions),
    fields: inOrder(...fields),
    deliveries: deliveriesFor(types),
  };
}
