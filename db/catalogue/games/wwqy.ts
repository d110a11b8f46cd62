import { multi, opts, range, single } from '../build.ts';
import { accountFields, serviceFields } from '../common-fields.ts';
import { defineGame } from '../define.ts';
import { tencentSteps } from '../handover.ts';

export const wwqy = defineGame({
  id: 24,
  code: 'wwqy',
  name: '无畏契约',
  aliases: ['瓦罗兰特', '瓦', 'VALORANT'],
  gameType: 1,
  initial: 'W',
  pinyin: 'wuweiqiyue',
  initials: 'wwqy',
  char: '畏',
  hue: 12,
  scene: 'hex',
  hot: 7,
  types: [1, 50, 60, 61],
  regions: [
    ['国服', ['QQ', '微信']],
    ['国际服', ['亚服', '港服', '美服', '欧服']],
  ],
  fields: [
    single('rank', '段位', opts('未定级', '黑铁', '青铜', '白银', '黄金', '铂金', '钻石', '超凡', '神话', '辐能战魂'), {
      required: true,
      card: true,
    }),
    range('skin_count', '皮肤数量', {
      max: 500,
      typical: [4, 120],
      unit: '款',
      slot: 1,
      required: true,
      card: true,
      aliases: ['皮肤数', '枪皮'],
    }),
    range('knife_count', '近战皮肤数', {
      max: 80,
      typical: [0, 20],
      unit: '把',
      slot: 2,
      card: true,
      aliases: ['刀皮'],
    }),
    range('agent_count', '英雄数量', { max: 40, typical: [8, 27], unit: '个', slot: 3, card: true, aliases: ['英雄'] }),
    range('points', '点券', { max: 100_000, typical: [0, 4_000], slot: 4 }),
    range('level', '账号等级', { min: 1, max: 900, typical: [20, 260], unit: '级' }),
    single(
      'best_rank',
      '历史最高段位',
      opts('未定级', '黑铁', '青铜', '白银', '黄金', '铂金', '钻石', '超凡', '神话', '辐能战魂'),
    ),
    multi(
      'skin_lines',
      '套系皮肤',
      opts('紫晶系列', '圣龙系列', '至尊系列', '幽灵系列', '盖亚系列', '霓虹系列', '冠军系列', '离子系列'),
    ),
    multi('best_guns', '主武器', opts('暴徒', '幻影', '冥驹', '狂弩', '正义', '警长')),
    ...accountFields(),
    ...serviceFields(opts('竞技上分', '定级赛', '通行证任务', '等级代练')),
  ],
  handover: tencentSteps({ loginTool: 'QQ 安全中心与 WeGame', wechat: true }),
  price: { medianYuan: 360, sigma: 1.05, minYuan: 50, maxYuan: 6_000 },
});
