import { multi, opts, range, single } from '../build.ts';
import { accountFields, coinFields, itemFields, serviceFields } from '../common-fields.ts';
import { defineGame } from '../define.ts';
import { tencentSteps } from '../handover.ts';

export const tymyd = defineGame({
  id: 9,
  code: 'tymyd',
  name: '天涯明月刀',
  aliases: ['天刀'],
  gameType: 1,
  initial: 'T',
  pinyin: 'tianyamingyuedao',
  initials: 'tymyd',
  char: '刀',
  hue: 194,
  scene: 'lantern',
  hot: 0,
  coinUnit: '金币',
  coinRatio: 160,
  types: [1, 50, 2, 22, 27, 60],
  regions: [
    [
      '电信',
      ['枕剑听雨', '月满西楼', '有凤来仪', '九霄环佩', '琅琊听风', '剑荡八荒', '烟雨江南', '秦川夜雪', '杭州春晓'],
    ],
    ['联通', ['燕云霜天', '徐海潮生', '北望开封', '关外长风', '青龙望月']],
  ],
  fields: [
    single(
      'sect',
      '门派',
      opts('太白', '真武', '神威', '丐帮', '天香', '唐门', '五毒', '神刀', '移花', '少林', '从龙'),
      { required: true, card: true },
    ),
    single('body', '体型', opts('男号', '女号', '萝莉'), { card: true }),
    range('power', '功力', { max: 900_000, typical: [60_000, 380_000], slot: 1, required: true, card: true }),
    range('level', '等级', { min: 1, max: 110, typical: [80, 105], unit: '级' }),
    range('looks_count', '时装数量', {
      max: 600,
      typical: [10, 180],
      unit: '套',
      slot: 2,
      card: true,
      aliases: ['时装'],
    }),
    range('points', '点券', { max: 999_999, typical: [0, 30_000], slot: 3 }),
    multi(
      'looks',
      '稀有时装',
      opts('绝版天外天', '周年限定', '天衣匠心', '节日限定', '限定坐骑', '稀有发型', '神兵外形'),
    ),
    ...accountFields(),
    ...coinFields('金币', { max: 9_000_000, typical: [5_000, 160_000], on: [2, 22] }),
    ...itemFields(opts('时装', '坐骑', '材料', '心法')),
    ...serviceFields(opts('帮派任务', '等级代练', '论剑上分', '副本通关')),
  ],
  handover: tencentSteps({ loginTool: 'QQ 安全中心与 WeGame', wechat: false }),
  price: { medianYuan: 1_500, sigma: 1.15, minYuan: 300, maxYuan: 30_000 },
});
