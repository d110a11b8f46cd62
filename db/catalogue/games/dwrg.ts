import { multi, opts, range, single } from '../build.ts';
import { accountFields, serviceFields } from '../common-fields.ts';
import { defineGame } from '../define.ts';
import { neteaseSteps } from '../handover.ts';

export const dwrg = defineGame({
  id: 19,
  code: 'dwrg',
  name: '第五人格',
  aliases: ['五人格'],
  gameType: 2,
  initial: 'D',
  pinyin: 'diwurenge',
  initials: 'dwrg',
  char: '五',
  hue: 108,
  scene: 'castle',
  hot: 10,
  types: [1, 50, 60, 61],
  regions: [['官服'], ['渠道服'], ['国际服']],
  fields: [
    single('os', '操作系统', opts('iOS|苹果', '安卓', 'PC'), { required: true, card: true }),
    range('skin_count', '时装数量', {
      max: 900,
      typical: [8, 300],
      unit: '款',
      slot: 1,
      required: true,
      card: true,
      aliases: ['时装'],
    }),
    range('s_count', '稀世时装数', { max: 200, typical: [0, 34], unit: '款', slot: 2, card: true }),
    range('role_count', '角色数', { max: 140, typical: [20, 110], unit: '个', slot: 3, card: true }),
    range('echoes', '回声', { max: 200_000, typical: [0, 6_000], slot: 4 }),
    single('rank', '段位', opts('一阶', '二阶', '三阶', '四阶', '五阶', '六阶', '七阶', '巅峰七阶'), { card: true }),
    multi(
      's_skins',
      '稀世时装',
      opts(
        '红夫人 白女王',
        '摄影师 迷失',
        '红蝶 御前',
        '黄衣之主 深海',
        '祭司 月神',
        '机械师 白无常',
        '医生 爱丽丝',
        '空军 铁玫瑰',
        '入殓师 夜莺',
        '先知 金鱼姬',
      ),
    ),
    multi('limited', '限定物品', opts('联动时装', '赛季限定', '周年头像框', '金挂件', '紫皮全收录')),
    single('role_side', '擅长阵营', opts('求生者', '监管者', '双修')),
    ...accountFields({ mail: true }),
    ...serviceFields(opts('排位上分', '推演任务', '等级代练')),
  ],
  handover: neteaseSteps(),
  price: { medianYuan: 340, sigma: 1.1, minYuan: 50, maxYuan: 5_000 },
});
