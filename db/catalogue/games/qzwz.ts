import { multi, opts, range, single } from '../build.ts';
import { accountFields, serviceFields } from '../common-fields.ts';
import { defineGame } from '../define.ts';
import { tencentSteps } from '../handover.ts';

export const qzwz = defineGame({
  id: 20,
  code: 'qzwz',
  name: '枪战王者',
  aliases: ['CF手游', '穿越火线枪战王者', 'CFM'],
  gameType: 2,
  initial: 'Q',
  pinyin: 'qiangzhanwangzhe',
  initials: 'qzwz',
  char: '枪',
  hue: 326,
  scene: 'city',
  hot: 0,
  types: [1, 50, 60, 61],
  regions: [['安卓QQ'], ['安卓微信'], ['苹果QQ'], ['苹果微信']],
  fields: [
    single('vip', 'VIP等级', opts('V0', 'V1', 'V2', 'V3', 'V4', 'V5', 'V6', 'V7', 'V8'), {
      required: true,
      card: true,
    }),
    range('hero_guns', '英雄级武器数', { max: 120, typical: [2, 45], unit: '把', slot: 1, required: true, card: true }),
    range('king_guns', '王者武器数', { max: 30, typical: [0, 9], unit: '把', slot: 2, card: true }),
    range('hero_throws', '英雄级投掷数', { max: 40, typical: [0, 10], unit: '个', slot: 3 }),
    range('diamonds', '钻石', { max: 500_000, typical: [0, 12_000], slot: 4, card: true }),
    multi('king_gun_list', '王者武器', opts('王者之魂', '王者之心', '王者之怒', '王者之翼', '王者之锋', '王者之力')),
    multi('suits', '至尊套', opts('黄金套', '白金套', '黑骑士套', '炎龙套', '苍穹套')),
    multi('hot_guns', '热门武器', opts('火麒麟', '黑骑士', '雷神', '天龙狙', '极光狙', '修罗', '黄金加特林', '炎魔')),
    multi('rare_roles', '稀有角色', opts('灵狐者', '审判者', '叶子', '赤霄', '幽灵特工', '葵')),
    multi('throws', '手雷', opts('烟花雷', '神圣雷', '南瓜雷', '双生雷')),
    multi('rare_items', '稀有道具', opts('改名卡', '稀有喷漆', '限定头像框', '战队勋章')),
    ...accountFields(),
    ...serviceFields(opts('排位上分', '生化任务', '挑战通关', '活跃任务')),
  ],
  handover: tencentSteps({ loginTool: '游戏设置的登录设备管理', wechat: true }),
  price: { medianYuan: 380, sigma: 1.1, minYuan: 50, maxYuan: 5_000 },
});
