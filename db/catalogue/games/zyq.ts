import { opts, range, single, text } from '../build.ts';
import { accountFields } from '../common-fields.ts';
import { defineGame } from '../define.ts';
import { passSteps } from '../handover.ts';

/**
 * The code zyq occurs in the specification without a name and fits no known game. It is read as 自营区, the zone of goods that the
 * platform bought itself (isOfficialSell) and sells under its own name, across games; hence the generic fields.
 */
export const zyq = defineGame({
  id: 15,
  code: 'zyq',
  name: '自营专区',
  aliases: ['自营区', '平台自营'],
  gameType: 2,
  initial: 'Z',
  pinyin: 'ziyingzhuanqu',
  initials: 'zyzq',
  char: '营',
  hue: 221,
  scene: 'hex',
  hot: 0,
  types: [1, 50],
  regions: [
    ['平台自营', ['手游', '端游', '主机与掌机']],
    ['回收精选', ['手游', '端游']],
  ],
  fields: [
    text('game_name', '所属游戏', { required: true, card: true }),
    single('system', '系统', opts('安卓', 'iOS', 'PC', '多端'), { required: true, card: true }),
    range('level', '角色等级', { min: 1, max: 300, typical: [20, 100], unit: '级', slot: 1, card: true }),
    single('grade', '成色', opts('精品', '优选', '实惠'), { card: true, help: '平台验号后评定' }),
    ...accountFields({ mail: true }),
  ],
  handover: passSteps('游戏账号', '商品页写明的全部项目'),
  price: { medianYuan: 300, sigma: 0.9, minYuan: 50, maxYuan: 3_000 },
});
