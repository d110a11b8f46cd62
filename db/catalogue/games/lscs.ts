import { multi, opts, range } from '../build.ts';
import { accountFields, serviceFields } from '../common-fields.ts';
import { defineGame } from '../define.ts';
import { battleNetSteps } from '../handover.ts';

export const lscs = defineGame({
  id: 16,
  code: 'lscs',
  name: '炉石传说',
  aliases: ['炉石'],
  gameType: 2,
  initial: 'L',
  pinyin: 'lushichuanshuo',
  initials: 'lscs',
  char: '炉',
  hue: 54,
  scene: 'cards',
  hot: 0,
  types: [1, 50, 60, 61],
  regions: [
    ['国服', ['安卓', '苹果', 'PC']],
    ['国际服', ['亚服', '美服', '欧服']],
  ],
  fields: [
    range('legend_cards', '橙卡数', {
      max: 900,
      typical: [20, 360],
      unit: '张',
      slot: 1,
      required: true,
      card: true,
      aliases: ['传说卡'],
    }),
    range('dust', '奥术之尘', {
      max: 500_000,
      typical: [0, 24_000],
      slot: 2,
      required: true,
      card: true,
      aliases: ['尘'],
    }),
    range('gold', '金币', { max: 100_000, typical: [0, 6_000], slot: 3, card: true }),
    range('level', '等级', { min: 1, max: 900, typical: [30, 420], unit: '级' }),
    range('card_backs', '卡背数量', { max: 300, typical: [10, 130], unit: '个', slot: 4, aliases: ['卡背'] }),
    multi(
      'gold_heroes',
      '职业金头',
      opts('战士', '萨满', '盗贼', '圣骑士', '猎人', '德鲁伊', '术士', '法师', '牧师', '恶魔猎手', '死亡骑士'),
      { card: false },
    ),
    multi('modes', '可玩内容', opts('标准全卡', '狂野全卡', '酒馆战棋皮肤', '冒险全开', '绝版英雄')),
    ...accountFields({ mail: true }),
    ...serviceFields(opts('天梯传说', '酒馆战棋上分', '竞技场', '金头任务')),
  ],
  handover: battleNetSteps('卡牌、金币与奥术之尘'),
  price: { medianYuan: 300, sigma: 1, minYuan: 50, maxYuan: 2_000 },
});
