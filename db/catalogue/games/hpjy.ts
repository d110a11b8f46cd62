import { bool, multi, opts, range, single } from '../build.ts';
import { accountFields, itemFields, serviceFields } from '../common-fields.ts';
import { defineGame } from '../define.ts';
import { tencentSteps } from '../handover.ts';

export const hpjy = defineGame({
  id: 12,
  code: 'hpjy',
  name: '和平精英',
  aliases: ['吃鸡', '和平'],
  gameType: 2,
  initial: 'H',
  pinyin: 'hepingjingying',
  initials: 'hpjy',
  char: '和',
  hue: 148,
  scene: 'contour',
  hot: 2,
  types: [1, 50, 27, 60, 61],
  regions: [['安卓QQ'], ['安卓微信'], ['苹果QQ'], ['苹果微信'], ['国际服']],
  fields: [
    single(
      'rank',
      '段位',
      opts('热血青铜', '不屈白银', '英勇黄金', '坚韧铂金', '不朽星钻', '荣耀皇冠', '超级王牌', '无敌战神'),
      {
        required: true,
        card: true,
      },
    ),
    range('heat', '热力值', { max: 300_000, typical: [3_000, 80_000], slot: 1, required: true, card: true }),
    range('outfit_count', '套装数量', {
      max: 600,
      typical: [10, 160],
      unit: '套',
      slot: 2,
      required: true,
      card: true,
      aliases: ['套装'],
    }),
    range('gun_skin_count', '枪皮数量', {
      max: 400,
      typical: [5, 110],
      unit: '款',
      slot: 3,
      card: true,
      aliases: ['枪皮'],
    }),
    range('vehicle_skin_count', '载具皮肤', {
      max: 150,
      typical: [0, 36],
      unit: '款',
      slot: 4,
      card: true,
      aliases: ['载具皮肤数量'],
    }),
    range('effect_gun_count', '特效枪数量', { max: 80, typical: [0, 14], unit: '把' }),
    range('pink_count', '粉装数量', { max: 120, typical: [0, 24], unit: '件' }),
    range('ace_marks', '王牌印记', { max: 60, typical: [0, 18], unit: '枚' }),
    multi(
      'best_guns',
      '优质枪皮',
      opts('M416 满级', 'AKM 满级', 'SCAR-L 满级', 'AWM 满级', 'Kar98K 满级', 'UZI 满级', 'Groza 满级', 'MG3 满级'),
    ),
    multi(
      'best_outfits',
      '优质套装',
      opts('超跑联动', '动漫联动', '国风套装', '冰雪套装', '赛季全勤', '周年套装', '明星联动'),
    ),
    multi('extras', '亮点', opts('降落伞皮肤', '整套背包', '飞行器皮肤', '宠物伙伴', '战队特权', '女号')),
    bool('health_limit', '健康系统限制', { help: '受健康系统限制的账号每日可玩时长有限' }),
    ...accountFields(),
    ...itemFields(opts('皮肤赠送', '点券代充', '礼盒赠送')),
    ...serviceFields(opts('段位上分', '活跃任务', '成就代打', '赛季任务')),
  ],
  handover: tencentSteps({ loginTool: '游戏设置的登录设备管理', wechat: true, face: true }),
  price: { medianYuan: 420, sigma: 1.05, minYuan: 50, maxYuan: 6_000 },
});
