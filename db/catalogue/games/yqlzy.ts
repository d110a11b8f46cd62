import { multi, opts, range } from '../build.ts';
import { accountFields, itemFields } from '../common-fields.ts';
import { defineGame } from '../define.ts';
import { tencentSteps } from '../handover.ts';

export const yqlzy = defineGame({
  id: 13,
  code: 'yqlzy',
  name: '一起来捉妖',
  aliases: ['捉妖'],
  gameType: 2,
  initial: 'Y',
  pinyin: 'yiqilaizhuoyao',
  initials: 'yqlzy',
  char: '妖',
  hue: 122,
  scene: 'forest',
  hot: 0,
  types: [1, 50, 27],
  regions: [['安卓QQ'], ['安卓微信'], ['苹果QQ'], ['苹果微信']],
  fields: [
    range('level', '等级', { min: 1, max: 80, typical: [20, 60], unit: '级', slot: 1, required: true, card: true }),
    range('spirit_count', '妖灵数量', {
      max: 600,
      typical: [60, 320],
      unit: '只',
      slot: 2,
      required: true,
      card: true,
    }),
    range('power', '战力', { max: 900_000, typical: [20_000, 220_000], slot: 3, card: true }),
    range('cats', '专属猫数量', { max: 300, typical: [0, 24], unit: '只', slot: 4, card: true }),
    multi('rare_spirits', '稀有妖灵', opts('烛龙', '麒麟', '玄女', '帝江', '狐妖', '白泽', '朱雀', '青龙')),
    multi('cat_traits', '猫特征', opts('零代', '一代', '稀有纹路', '金瞳', '限定配饰')),
    ...accountFields(),
    ...itemFields(opts('专属猫', '妖灵碎片', '云豆')),
  ],
  handover: tencentSteps({ loginTool: '游戏设置的账号管理', wechat: true }),
  price: { medianYuan: 260, sigma: 1, minYuan: 50, maxYuan: 3_000 },
});
