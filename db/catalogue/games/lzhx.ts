import { multi, numbered, opts, range, single } from '../build.ts';
import { accountFields, coinFields, firstChargeFields, serviceFields } from '../common-fields.ts';
import { defineGame } from '../define.ts';
import { tencentSteps } from '../handover.ts';

/**
 * Id 18 is the one whose search starts with goods type 8 (product.md 9). It belongs to a game of many channels, each with a discount
 * on the first top-up, for which first-charge accounts are the usual goods; 龙族幻想 is such a one.
 */
export const lzhx = defineGame({
  id: 18,
  code: 'lzhx',
  name: '龙族幻想',
  aliases: ['龙族'],
  gameType: 2,
  initial: 'L',
  pinyin: 'longzuhuanxiang',
  initials: 'lzhx',
  char: '幻',
  hue: 286,
  scene: 'crystal',
  hot: 0,
  coinUnit: '万钻石',
  coinRatio: 3,
  defaultType: 8,
  types: [8, 1, 50, 2, 60],
  regions: [
    ['安卓QQ', numbered('卡塞尔', 1, 24)],
    ['安卓微信', numbered('青铜城', 1, 24)],
    ['苹果QQ', numbered('冰海', 1, 16)],
    ['苹果微信', numbered('白帝城', 1, 16)],
    ['渠道服', ['华为专服', '小米专服', 'OPPO专服', 'vivo专服', '九游专服', 'TapTap专服']],
  ],
  fields: [
    single('job', '职业', opts('刀锋', '影刺', '枪者', '魅歌', '曙光', '巫咒', '御龙'), { required: true, card: true }),
    range('level', '等级', { min: 1, max: 150, typical: [40, 120], unit: '级', slot: 1, required: true, card: true }),
    range('power', '战力', { max: 9_000_000, typical: [80_000, 1_600_000], slot: 2, required: true, card: true }),
    single('vip', '贵族等级', opts('V0', 'V1', 'V2', 'V3', 'V4', 'V5', 'V6', 'V7', 'V8', 'V9', 'V10')),
    range('looks_count', '时装数量', {
      max: 400,
      typical: [4, 90],
      unit: '套',
      slot: 3,
      card: true,
      aliases: ['时装'],
    }),
    multi('spirits', '言灵', opts('君焰', '时间零', '黑日', '审判', '无尘之地', '烛龙')),
    ...accountFields({ firstCharge: true }),
    ...firstChargeFields(),
    ...coinFields('万钻石', { max: 99_999, typical: [20, 1_500] }),
    ...serviceFields(opts('等级代练', '副本通关', '日常任务')),
  ],
  handover: tencentSteps({ loginTool: '游戏设置的账号管理', wechat: true }),
  price: { medianYuan: 360, sigma: 1.05, minYuan: 50, maxYuan: 3_000 },
});
