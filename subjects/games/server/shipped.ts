import { type GameDoc, gameDoc } from '#subjects/games/contract/game-doc.ts';
import { GAMES } from '#db/catalogue/index.ts';
import type { GameSeed } from '#db/catalogue/types.ts';

/** A game of the shipped catalogue as a document. */
export function docOfShipped(game: GameSeed): GameDoc {
  const { price: _, char, defaultGoodsTypeId, coinUnit, coinRatio, fields, handover, deliveries, ...rest } = game;
  return gameDoc.parse({
    ...rest,
    glyph: char,
    defaultType: defaultGoodsTypeId,
    coinUnit: coinUnit ?? null,
    coinRatio: coinRatio ?? null,
    fields: fields.map(({ sort: _sort, multiModes: _modes, ...field }) => field),
    handover: { accounts: handover, deliveries },
  });
}

// oxlint-disable-next-line caches/of-context -- files of the release, which do not change
let docs: readonly GameDoc[] | undefined;

/** The shipped catalogue as documents, in its order. */
export function shippedDocs(): readonly GameDoc[] {
  return (docs ??= GAMES.map(docOfShipped));
}

/** One game of the shipped catalogue, for choosing. */
export interface ShippedGame {
  code: string;
  name: string;
  gameType: number;
  hot: number;
  areas: number;
  servers: number;
  fields: number;
  goodsTypes: readonly string[];
}

/** The games that come with the program, hot ones first; `importGames` takes their codes. */
export function listShippedGames(): ShippedGame[] {
  return shippedDocs()
    .map((doc) => ({
      code: doc.code,
      name: doc.name,
      gameType: doc.gameType,
      hot: doc.hot,
      areas: doc.areas.length,
      servers: doc.areas.reduce((sum, a) => sum + a.servers.length, 0),
      fields: doc.fields.length,
      goodsTypes: doc.goodsTypes.map(({ name }) => name),
    }))
    .toSorted((a, b) => Number(a.hot === 0) - Number(b.hot === 0) || a.hot - b.hot);
}
