import { multi, opts, range, single } from '../build.ts';
import { accountFields, itemFields, serviceFields } from '../common-fields.ts';
import { defineGame } from '../define.ts';
import { tencentSteps } from '../handover.ts';

export const sjz = defineGame({
  id: 23,
  code: 'sjz',
  name: '三角洲行动',
  aliases: ['三角洲', '粥', '鼠鼠'],
  gameType: 1,
  initial: 'S',
  pinyin: 'sanjiaozhouxingdong',
  initials: 'sjzxd',
  char: '洲',
  hue: 174,
  scene: 'city',
  hot: 3,
  types: [1, 50, 27, 60, 61],
  regions: [['QQ', ['端游', '安卓', '苹果']], ['微信', ['端游', '安卓', '苹果']], ['Steam国际服']],
  fields: [
    range('haf_coin', '哈夫币', {
      max: 999_999,
      typical: [300, 26_000],
      unit: '万',
      slot: 1,
      required: true,
      card: true,
    }),
    range('level', '等级', { min: 1, max: 60, typical: [20, 60], unit: '级', slot: 2, required: true, card: true }),
    single('safe_box', '安全箱', opts('基础安全箱', '进阶安全箱', '高级安全箱', '顶级安全箱|9 格箱'), {
      required: true,
      card: true,
    }),
    range('red_skin_count', '红皮数量', {
      max: 60,
      typical: [0, 8],
      unit: '款',
      slot: 3,
      card: true,
      aliases: ['红皮'],
    }),
    range('melee_count', '近战外观数', { max: 60, typical: [0, 9], unit: '款', slot: 4 }),
    single('fire_rank', '烽火段位', opts('青铜', '白银', '黄金', '铂金', '钻石', '黑鹰', '三角洲巅峰'), {
      aliases: ['段位'],
    }),
    single('battle_rank', '战场军衔', opts('列兵', '士官', '尉官', '校官', '将官', '统帅')),
    range('base_level', '特勤处等级', { max: 40, typical: [4, 30], unit: '级' }),
    multi('skins', '稀有外观', opts('限定干员外观', '曼德尔砖红皮', '赛季红皮', '联动外观', '典藏近战', '绝版挂饰')),
    ...accountFields(),
    ...itemFields(opts('哈夫币代护航', '保险箱升级材料', '外观赠送')),
    ...serviceFields(opts('护航跑刀', '任务代做', '段位上分', '特勤处升级')),
  ],
  handover: tencentSteps({ loginTool: '游戏设置的登录设备与 WeGame', wechat: true, face: true }),
  price: { medianYuan: 640, sigma: 1.05, minYuan: 50, maxYuan: 12_000 },
});
