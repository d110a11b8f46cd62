import { bool, opts, range, single } from '../build.ts';
import { accountFields, coinFields, itemFields, serviceFields } from '../common-fields.ts';
import { defineGame } from '../define.ts';
import { passSteps } from '../handover.ts';

export const yhzt = defineGame({
  id: 8,
  code: 'yhzt',
  name: '永恒之塔',
  aliases: ['AION', '永恒之塔2'],
  gameType: 1,
  initial: 'Y',
  pinyin: 'yonghengzhita',
  initials: 'yhzt',
  char: '永',
  hue: 228,
  scene: 'clouds',
  hot: 0,
  coinUnit: '万基纳',
  coinRatio: 32,
  types: [1, 50, 2, 27, 60],
  regions: [
    ['天族', ['西尼尔', '奈萨坎', '毕西尔', '凯西尔', '优斯狄埃', '艾瑞尔', '梅斯兰泰达']],
    ['魔族', ['伊斯拉佩尔', '吉凯尔', '特里尼尔', '鲁米尔', '马尔库坦', '阿斯佩尔', '艾雷修奇卡尔']],
  ],
  fields: [
    single('job', '职业', opts('剑星', '守护星', '杀星', '弓星', '护法星', '精灵星', '治愈星', '魔道星'), {
      required: true,
      card: true,
    }),
    range('gear', '装等', { max: 6_000, typical: [1_200, 3_200], slot: 1, required: true, card: true }),
    range('power', '战斗力', { max: 900, typical: [40, 320], unit: 'K', slot: 2, required: true, card: true }),
    range('linked', '连号数', { max: 20, typical: [0, 6], unit: '个' }),
    bool('alts', '带小号'),
    range('vip_days', '会员剩余天数', { max: 720, typical: [0, 90], unit: '天', slot: 3 }),
    ...accountFields({ mail: true }),
    ...coinFields('万基纳', { max: 5_000_000, typical: [1_000, 40_000] }),
    ...itemFields(opts('装备', '翅膀', '材料', '外观')),
    ...serviceFields(opts('等级代练', '副本通关', '装等提升', '日常任务')),
  ],
  handover: passSteps('游戏通行证', '职业、装等与会员天数'),
  price: { medianYuan: 620, sigma: 0.95, minYuan: 50, maxYuan: 3_000 },
});
