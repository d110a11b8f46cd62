/** A document of a game that can be published, for tests of its rules. */
import type { FieldDoc, GameDoc, StepDoc } from '#subjects/games/contract/game-doc.ts';

/** A hand-over step of the seller. */
export const stepDoc = (key: string, change: Partial<StepDoc> = {}): StepDoc =>
  ({
    key,
    title: key,
    actor: 'seller',
    minutes: 60,
    evidence: false,
    required: true,
    explain: '按说明操作',
    beforeShip: true,
    ...change,
  }) as StepDoc;

/** A choice of the publishing form. */
export const fieldDoc = (change: Partial<FieldDoc> = {}): FieldDoc => ({
  key: 'rank',
  label: '段位',
  kind: 'single',
  options: [{ v: 1, label: '王者' }],
  required: false,
  inCard: true,
  filterable: true,
  goodsTypes: [1],
  ...change,
});

/** A game with accounts on sale, one area with two servers, and the given parts. */
export const gameDoc = (change: Partial<GameDoc>): GameDoc => ({
  code: 'wzry',
  name: '王者荣耀',
  aliases: [],
  gameType: 2,
  initial: 'W',
  pinyin: 'wangzherongyao',
  initials: 'wzry',
  glyph: '王',
  hue: 20,
  scene: 'ridge',
  icon: null,
  hot: 0,
  coinUnit: null,
  coinRatio: null,
  defaultType: 1,
  goodsTypes: [{ id: 1, name: '账号' }],
  areas: [
    {
      id: 1,
      name: '安卓QQ',
      servers: [
        { id: 10, name: '一区' },
        { id: 11, name: '二区' },
      ],
    },
  ],
  fields: [fieldDoc()],
  handover: { accounts: [], deliveries: [] },
  ...change,
});
