/** Facts about goods as bit flags: a phrase may be used only when all its flags are set. */
export const FLAG = {
  own: 1,
  resold: 2,
  clean: 4,
  realname: 8,
  rebind: 16,
  bargain: 32,
  firm: 64,
  guarantee: 128,
  consigned: 256,
  inspected: 512,
} as const;

/** A phrase and the bits that it claims. */
export type Claim = readonly [words: string, needs: number];

/** Before the title. */
export const PREFIXES: readonly Claim[] = [
  ['【急出】', 0],
  ['【急出】', 0],
  ['【自用】', FLAG.own],
  ['【退坡】', FLAG.own],
  ['急出！', 0],
  ['【捡漏】', 0],
  ['【实图】', 0],
  ['【回血】', 0],
  ['【刚验号】', FLAG.inspected],
  ['【可包赔】', FLAG.guarantee],
];

/** At the end of an account's title. */
export const TAILS: readonly Claim[] = [
  ['可二次实名', FLAG.realname],
  ['二次实名可换', FLAG.realname],
  ['手机可换绑', FLAG.rebind],
  ['秒换绑', FLAG.rebind],
  ['价格可谈', FLAG.bargain],
  ['可小刀', FLAG.bargain],
  ['一口价', FLAG.firm],
  ['支持包赔', FLAG.guarantee],
  ['找回包赔', FLAG.guarantee],
  ['一手号', FLAG.own],
  ['自用多年', FLAG.own],
  ['平台寄售', FLAG.consigned],
  ['客服代发', FLAG.consigned],
  ['已验号', FLAG.inspected],
  ['无违规记录', FLAG.clean],
  ['信誉良好', FLAG.clean],
  ['人在秒回', 0],
  ['图都在相册', 0],
  ['信息真实', 0],
  ['不换号', 0],
  ['非诚勿扰', 0],
  ['看图下单', 0],
  ['手慢无', 0],
  ['先到先得', 0],
];

/** First sentence: why it is sold. */
export const REASONS: readonly Claim[] = [
  ['自己从开服玩到现在的号，工作忙了没时间上线。', FLAG.own],
  ['换游戏了，这个号放着也是放着，便宜出给喜欢的人。', 0],
  ['学业紧，没时间玩了，忍痛出。', FLAG.own],
  ['两个号只留一个，这个出掉。', 0],
  ['朋友转给我的，一直没怎么玩，现在出。', FLAG.resold],
  ['打了大半年，现在退坡了，东西都在图里。', FLAG.own],
  ['急用钱，价格比同行低一些，喜欢的可以直接拍。', 0],
  ['收的号，在手里稳了三个月，没有任何异常。', FLAG.resold],
  ['结婚了不玩了，号保养得很好，希望遇到有缘人。', 0],
  ['本来想留着，最近实在没空，挂一个合适的价。', 0],
  ['主力号，每个赛季都打，花的钱是挂价的好几倍。', FLAG.own],
  ['小号，练着玩的，配置不错，适合接着养。', 0],
  ['队友都退了，一个人玩没意思，出了。', 0],
  ['毕业出号，宿舍一起玩的，就剩我还留着。', FLAG.own],
];

/** About the state of the account. */
export const STATES: readonly Claim[] = [
  ['号很干净，没有封号和禁言记录。', FLAG.clean],
  ['近一年没有任何处罚，信用分满的。', FLAG.clean],
  ['图片是前两天刚截的，和实际一致。', 0],
  ['所有内容以验号记录为准，描述不清楚的可以问。', FLAG.inspected],
  ['资源都没动，上号就能玩。', 0],
  ['绑定信息都在我手里，换绑当天就能完成。', FLAG.rebind],
  ['好友里有几个亲密关系，拍下后会清理掉。', 0],
  ['段位是自己打上去的，掉了不保。', FLAG.own],
  ['外观多是活动和充值得来的，绝版的也有几个。', 0],
  ['账号里还剩一些道具和货币，一并送了。', 0],
  ['实名是我本人，配合所有换绑步骤。', FLAG.own | FLAG.rebind],
  ['二次实名可以改成你自己的，截图在相册里。', FLAG.realname],
];

/** About trading. */
export const TRADES: readonly Claim[] = [
  ['只走平台，不加任何联系方式，直接拍就行。', 0],
  ['白天基本都在线，晚上十点后可能回得慢。', 0],
  ['拍下后十分钟内配合，验证码我在线提供。', FLAG.rebind],
  ['支持平台验号，支持包赔，换绑全程配合。', FLAG.guarantee | FLAG.rebind],
  ['寄售在平台，拍下由客服交付，不用等我上线。', FLAG.consigned],
  ['不接受换号，不接受分期，谢谢理解。', 0],
  ['看好再拍，虚拟商品拍下后不无故退。', 0],
  ['需要更多截图可以留言，会补上。', 0],
  ['周末全天在线，工作日晚上七点以后交易最快。', 0],
  ['先验号再换绑，双方都放心。', 0],
  ['可以先问再拍，问题都会如实回答。', 0],
];

/** About the price. */
export const PRICE_TERMS: readonly Claim[] = [
  ['价格可以小刀，诚心的来。', FLAG.bargain],
  ['可议价，屠龙刀就算了。', FLAG.bargain],
  ['价格好商量，先报个心理价。', FLAG.bargain],
  ['一口价，不议价。', FLAG.firm],
  ['已经是最低价了，价格不动，勿刀。', FLAG.firm],
];

/** Titles and sentences of goods that are not accounts; the keys are attributes, `ratio`, `unit`, `place` and `game`. */
export const COIN_TITLES = [
  '{place} {amount}{unit} 1元={ratio}{unit} {delivery} 手工号放心买',
  '【现货】{place} {amount}{unit} {delivery} 拍下{minutes}分钟内发货',
  '{game} {place} 出{unit} {amount}{unit}一份 比例1:{ratio} {delivery}',
  '{place} 自己打的{unit} 1比{ratio} {amount}{unit}起 {delivery} 秒发',
  '{amount}{unit} {place} {delivery} 工作室长期供货 比例{ratio} 量大可谈',
];
export const COIN_TEXTS = [
  '都是手工金，来源干净，不用担心回收。',
  '拍下后请在群里写清角色名，交货更快。',
  '{delivery}，{minutes}分钟左右到账，晚高峰稍慢。',
  '库存充足，需要更多可以分开拍。',
  '按份发货，数量以交易截图为准。',
  '不收任何手续费以外的费用，不加联系方式。',
];

export const INGOT_TITLES = [
  '{game} {place} {amount}元宝 {delivery} 官方渠道 到账快',
  '【代充】{place} {amount}元宝 1元={ratio}元宝 {delivery}',
  '{place} 元宝 {amount}个 {delivery} 拍下{minutes}分钟内处理',
];
export const INGOT_TEXTS = [
  '官方渠道充值，可提供到账截图。',
  '请核对区服和角色名，填错不退。',
  '活动期间到账可能稍慢，请耐心等一下。',
  '到账后请当面清点，再点确认收货。',
];

export const FIRST_TITLES = [
  '{game} {channel} 首充号 首充{first_discount} 续充{renew_discount} {start_kind} 未实名',
  '【{channel}】{game} {first_discount}首充号 续充{renew_discount} 拍下秒发',
  '{game} 首充号 {channel} 折扣{first_discount} 可自己实名 {start_kind}',
];
export const FIRST_TEXTS = [
  '账号未实名，拿到手自己实名，永久可用。',
  '首充折扣只有第一次有效，续充折扣以渠道当时显示为准。',
  '拍下自动发号，先改密码再充值。',
  '渠道号不能转官服，拍之前看清楚渠道。',
  '起始角色如图，需要别的开局可以问库存。',
];

export const ITEM_TITLES = [
  '{game} {place} {item_kind} {item_spec} {item_trade} 到手秒发',
  '【{item_kind}】{place} {item_spec} {item_trade} 现货',
  '{place} 转{item_kind} {item_spec} {item_trade} 价格可谈',
];
export const ITEM_TEXTS = [
  '道具如图，没有绑定，拍下就能交易。',
  '需要先加好友的，会提前说明等待时间。',
  '规格看清楚再拍，交付后不退。',
  '自己号里多出来的，便宜出。',
  '交付过程会截图，双方都有凭据。',
];
export const ITEM_SPECS = [
  '一组',
  '全新',
  '七天版',
  '永久版',
  '三件套',
  '满级',
  '礼盒装',
  '限定款',
  '五件打包',
  '活动版',
];
