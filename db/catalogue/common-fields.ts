import { bool, type FieldDraft, opts, range, single, text } from './build.ts';
import type { CoinUnit, GoodsTypeId, OptionSeed } from './types.ts';

interface AccountOptions {
  /** The mailbox is a separate binding. */
  mail?: boolean;
  /** Chip 可二次实名 on cards. */
  realnameOnCard?: boolean;
  /** Adds the first-charge types to those that carry the fields. */
  firstCharge?: boolean;
}

/** Fields that each account has, whatever the game (facts: peers 4.3, common fields). */
export function accountFields(o: AccountOptions = {}): FieldDraft[] {
  const on: GoodsTypeId[] = o.firstCharge === true ? [1, 8, 50] : [1, 50];
  const fields: FieldDraft[] = [
    single('account_source', '账号来源', opts('自己注册', '本平台购买', '他处购买'), {
      required: true,
      on,
      help: '如实填写；他处购买的账号找回风险较高，会在商品页标明',
    }),
    bool('second_realname', '可二次实名', {
      required: true,
      card: o.realnameOnCard ?? true,
      on,
      aliases: ['二次实名'],
      help: '能否把实名信息改为买家本人，请附可二次实名的截图',
    }),
    bool('anti_addiction', '防沉迷', { on, help: '有防沉迷的账号限制游戏时长，不能卖给需要长时间在线的买家' }),
    single('phone_bind', '手机绑定', opts('未绑定', '可换绑', '不可换绑'), { on }),
  ];
  if (o.mail === true) fields.push(single('mail_bind', '邮箱绑定', opts('未绑定', '可换绑', '不可换绑'), { on }));
  fields.push(single('penalty', '处罚记录', opts('无处罚', '曾有处罚', '处罚中'), { on }));
  return fields;
}

/** Fields of coin (2) and ingots (22): how much, and how it is handed over (product.md 9: 1 mail, 2 auction, 3 face to face). */
export function coinFields(
  unit: CoinUnit | undefined,
  o: { max: number; typical: [number, number]; on?: GoodsTypeId[] },
): FieldDraft[] {
  const on: GoodsTypeId[] = o.on ?? [2];
  const amount = range('amount', '数量', {
    required: true,
    card: true,
    min: 1,
    max: o.max,
    typical: o.typical,
    slot: 4,
    on,
    ...(unit === undefined ? {} : { unit }),
  });
  return [
    amount,
    single('delivery', '交货方式', opts('邮寄', '拍卖', '当面交易'), { required: true, card: true, on }),
    range('min_lot', '起售数量', { min: 1, max: o.max, typical: [1, Math.max(1, o.typical[0])], on }),
  ];
}

/** Fields of items (27): what kind, bound or not. */
export function itemFields(kinds: OptionSeed[]): FieldDraft[] {
  const on: GoodsTypeId[] = [27];
  return [
    single('item_kind', '道具类型', kinds, { required: true, card: true, on }),
    single('item_trade', '交易限制', opts('可直接交易', '需好友亲密度', '需公示等待'), { card: true, on }),
    text('item_spec', '道具规格', { on, help: '例如数量、强化等级、剩余时间' }),
  ];
}

/** Fields of first-charge accounts (8): the channel that they belong to and what the first top-up costs. */
export function firstChargeFields(): FieldDraft[] {
  const on: GoodsTypeId[] = [8];
  return [
    single('channel', '渠道', opts('官服', '应用宝', '华为', '小米', 'OPPO', 'vivo', '九游', 'TapTap'), {
      required: true,
      card: true,
      on,
    }),
    single('first_discount', '首充折扣', opts('1折', '2折', '3折', '4折', '5折', '6折', '7折'), {
      required: true,
      card: true,
      on,
    }),
    single('renew_discount', '续充折扣', opts('6折', '7折', '7.5折', '8折', '8.5折', '9折'), { card: true, on }),
    single('start_kind', '起始角色', opts('未建角色', '初始角色', '自选开局'), { on }),
  ];
}

/** Fields of boosting (60) and companions (61). */
export function serviceFields(boost: OptionSeed[]): FieldDraft[] {
  return [
    single('boost_kind', '代练项目', boost, { required: true, card: true, on: [60] }),
    range('boost_hours', '预计耗时', { min: 1, max: 720, typical: [2, 48], unit: '小时', card: true, on: [60] }),
    single('play_kind', '陪玩类型', opts('娱乐陪玩', '技术上分', '教学指导'), { required: true, card: true, on: [61] }),
    bool('play_voice', '语音连麦', { card: true, on: [61] }),
  ];
}
