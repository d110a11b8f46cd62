import { multi, opts, range, single } from '../build.ts';
import { accountFields, coinFields, itemFields, serviceFields } from '../common-fields.ts';
import { defineGame } from '../define.ts';
import { tencentSteps } from '../handover.ts';

export const qqsg = defineGame({
  id: 17,
  code: 'qqsg',
  name: 'QQ三国',
  aliases: ['三国'],
  gameType: 1,
  initial: 'Q',
  pinyin: 'qqsanguo',
  initials: 'qqsg',
  char: '国',
  hue: 346,
  scene: 'waves',
  hot: 0,
  coinUnit: '万宝票',
  coinRatio: 12,
  types: [1, 50, 2, 22, 27, 60],
  regions: [
    ['华南大区', ['桃园结义', '三顾茅庐', '卧龙出山', '草船借箭', '火烧连营']],
    ['华东大区', ['铜雀春深', '赤壁东风', '江东虎臣', '周郎妙计']],
    ['华北大区', ['官渡之战', '青梅煮酒', '虎牢关前', '白马银枪']],
    ['西部大区', ['七擒孟获', '剑阁雄关', '锦官城外']],
  ],
  fields: [
    single('job', '职业', opts('豪杰', '侠士', '豪侠', '国士', '仙术', '豹骑', '方士', '女将'), {
      required: true,
      card: true,
    }),
    range('level', '等级', { min: 1, max: 160, typical: [50, 140], unit: '级', slot: 1, required: true, card: true }),
    range('power', '战力', { max: 2_000_000, typical: [20_000, 420_000], slot: 2, card: true }),
    single('camp', '国家', opts('魏', '蜀', '吴'), { card: true }),
    range('generals', '武将数量', { max: 200, typical: [2, 60], unit: '个', slot: 3 }),
    multi('looks', '外装坐骑', opts('绝版外装', '神兽坐骑', '副将', '称号', '限定翅膀')),
    ...accountFields(),
    ...coinFields('万宝票', { max: 999_999, typical: [50, 5_000], on: [2, 22] }),
    ...itemFields(opts('装备', '武将卡', '坐骑', '材料', '外装')),
    ...serviceFields(opts('等级代练', '副本通关', '国战任务')),
  ],
  handover: tencentSteps({ loginTool: 'QQ 安全中心', wechat: false }),
  price: { medianYuan: 420, sigma: 1.05, minYuan: 50, maxYuan: 3_000 },
});
