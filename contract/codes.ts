/**
 * Every error a user can cause: number, HTTP status, Chinese text. The map is total: a new name does not compile until
 * it is here. The specified client reacts to certain words in `msg` (登录已过期, token, tcp), so no other text contains
 * them, and no text repeats what a user typed (conventions.md, envelope).
 */
export const codes = {
  /** The input did not match its schema; `msg` is the message of the first invalid field. */
  BAD_INPUT: [4000, 422, '提交的内容有误，请检查后再试'],
  /** Body, headers or URL are malformed. */
  BAD_REQUEST: [4001, 400, '请求格式不正确'],
  BODY_TOO_LARGE: [4002, 413, '提交的内容过大'],
  UNSUPPORTED_TYPE: [4003, 415, '不支持的内容类型'],
  METHOD_NOT_ALLOWED: [4004, 405, '不支持的请求方式'],
  NOT_FOUND: [4040, 404, '内容不存在或已被移除'],
  UNKNOWN_SITE: [4041, 421, '该域名没有对应的站点'],
  /** No session, or it has ended. The specified client clears its cookies when it sees this text. */
  LOGIN_REQUIRED: [1, 401, '登录已过期，请重新登录'],
  FORBIDDEN: [4030, 403, '没有权限进行此操作'],
  CSRF: [4031, 403, '页面已失效，请刷新后重试'],
  RATE_LIMITED: [4290, 429, '操作过于频繁，请稍后再试'],
  BUSY: [5030, 503, '系统繁忙，请稍后再试'],
  /** The feature is switched off by the operator (docs/OPERATIONS.md, Vendors). */
  VENDOR_OFF: [4091, 409, '本站暂未开通这项服务'],
  /** The market was restored from a copy and has not been released by staff: nothing is sent. */
  QUARANTINE: [5032, 503, '系统刚从备份恢复，正在核对，暂时不能办理，请稍后再试'],
  INTERNAL: [5000, 500, '系统开小差了，请稍后再试'],
  IDEMPOTENCY_MISMATCH: [4090, 409, '重复的请求编号，但内容不同'],

  SMS_TOO_OFTEN: [1101, 429, '验证码发送过于频繁，请稍后再试'],
  SMS_CODE_WRONG: [1102, 422, '验证码错误或已失效'],
  LOGIN_FAILED: [1103, 422, '手机号或密码错误'],
  LOGIN_THROTTLED: [1104, 429, '尝试次数过多，操作频繁，请稍后再试'],
  PASSWORD_WEAK: [1106, 422, '密码过于简单，请换一个'],
  USER_BANNED: [1107, 403, '账号已被限制使用，请联系客服'],
  QQ_LOGIN_CLOSED: [1108, 422, '暂未开放，敬请期待！'],
  SECOND_FACTOR_WRONG: [1109, 422, '动态码错误'],
  PASSKEY_REQUIRED: [1180, 403, '您的角色会动用资金，请用通行密钥验证；还没有的，请先在「我的通行密钥」登记'],
  /** A staff decision on money or people: the second factor must be given again, then the call is repeated. */
  FACTOR_REQUIRED: [1172, 403, '请再次输入动态码确认身份'],
  /** A one-time address of staff or of the first start that is unknown, used, expired or replaced. */
  INVITE_GONE: [1173, 410, '地址已失效：已使用、已过期或已被新的地址取代'],
  STAFF_LOGIN_TAKEN: [1174, 409, '登录名已被使用，请换一个'],
  STAFF_MORE: [1175, 403, '不能授予自己没有的权限，也不能管理权限比自己多的员工'],
  STAFF_SELF: [1176, 403, '不能对自己的账号进行此操作，请由另一位管理员操作'],
  LAST_ADMIN: [1177, 409, '这是最后一位管理员，请先再设一位'],
  ROLE_NAME_TAKEN: [1178, 409, '已有同名的角色，请换一个名称'],
  ROLE_IN_USE: [1179, 409, '还有员工使用这个角色，请先更换他们的角色'],

  /**
   * The code, ticket or authorisation of a third-party log-in is unknown, used, expired or belongs to another browser.
   */
  THIRD_PARTY_EXPIRED: [1110, 409, '授权已失效，请重新扫码'],
  THIRD_PARTY_TAKEN: [1111, 409, '该微信已绑定其他账号，请先在原账号解绑'],
  THIRD_PARTY_BOUND: [1112, 409, '当前账号已绑定微信，请先解绑'],
  /**
   * The session has not been stepped up for this purpose: the dialog asks for the pay password or a code, then the call
   * is repeated.
   */
  STEP_UP_REQUIRED: [1160, 403, '请先验证身份：输入支付密码，或获取短信验证码'],
  /** The identity number does not belong to the verified person. */
  IDENTITY_WRONG: [1161, 422, '身份证号与实名认证不一致，请核对后重试'],
  /** Too many recent attempts: the browser solves a challenge and sends the call again (subjects/accounts/contract/challenge.ts). */
  CHALLENGE_REQUIRED: [1163, 429, '尝试较多，请完成安全验证后再试'],
  /** Registration without the consent that the law requires. */
  CONSENT_REQUIRED: [1164, 422, '请先阅读并同意用户协议和隐私政策，并确认已满 18 周岁'],
  IDENTITY_TRIES: [1162, 429, '身份证号核对次数已用完，请明天再试或联系客服'],
  EXPORT_DAY: [1171, 429, '24 小时内已申请过导出，请之后再试'],
  ACCOUNT_CLOSE_BLOCKED: [1113, 409, '还不满足注销条件'],

  /** A signed request whose key is unknown or whose signature is wrong; the response does not reveal which. */
  KEY_INVALID: [1181, 401, '密钥或签名不正确，请核对待签名文本和签名密码'],
  KEY_TIME: [1182, 401, '请求时间与服务器相差超过 5 分钟，请校准时钟后重新签名'],
  /** The number of a signed request was used before: the request was captured, or sent again without a new number. */
  KEY_REPLAY: [1183, 401, '这个请求编号已经用过，重试时请换一个编号并重新签名'],
  KEY_ENDED: [1184, 401, '密钥已停用或已过期，请在「开放接口」页新建'],
  KEY_NETWORK: [1185, 403, '密钥不允许从这个地址使用，请核对密钥的允许地址'],
  KEY_SCOPE: [1186, 403, '密钥没有这项权限，请在「开放接口」页新建有权限的密钥'],
  KEY_COUNT: [1187, 422, '最多同时使用 10 个密钥，请先停用不用的'],
  /** A key may lower a price only by a share that its owner chose, so that a leaked key cannot sell goods for nothing. */
  KEY_DROP: [1188, 422, '降价超过密钥允许的幅度，请在「我的商品」页由本人修改'],

  REAL_NAME_REQUIRED: [1201, 403, '请先完成实名认证'],
  REAL_NAME_MISMATCH: [1202, 422, '姓名与身份证号不一致'],
  REAL_NAME_MINOR: [1203, 403, '根据国家规定，已成年的实名用户才能交易'],
  REAL_NAME_USED: [1204, 409, '该身份证号已在其他账号认证'],
  REAL_NAME_DONE: [1205, 409, '已完成实名认证，无需重复提交'],
  /** The source returned no result: the check counts neither as passed nor as failed. */
  REAL_NAME_UNCLEAR: [1207, 503, '实名认证服务没有返回结果，本次既不算通过也不算不通过，请稍后再试'],
  REAL_NAME_TRIES: [1206, 429, '今日认证次数已用完，请明天再试'],

  BLACK_NOT_FOUND: [1301, 404, '没有这条黑号记录'],
  BLACK_STATE: [1302, 409, '这条记录已被处理，请刷新后查看'],
  BLACK_TOO_MANY: [1303, 422, '待审核的举报过多，请等待审核后再提交'],
  BLACK_APPEALED: [1304, 409, '您的申诉正在处理，请耐心等待'],
  /** The member of staff who published an entry may not decide on its appeal. */
  BLACK_OTHER_PERSON: [1305, 403, '申诉需由另一位同事处理'],

  GOODS_NOT_FOUND: [2001, 404, '商品不存在或已下架'],
  GOODS_NOT_ON_SALE: [2002, 409, '商品已被他人下单或已下架'],
  GOODS_OWN: [2003, 422, '不能购买自己发布的商品'],
  /** Sold elsewhere, but an order in progress has reserved it. */
  GOODS_HELD: [2014, 409, '已有买家下单，请先与买家协商取消订单'],
  GOODS_STATE: [2004, 409, '商品当前状态不能进行此操作'],
  /** A claim on the account is open or was paid (platform rule 5.6). */
  GOODS_CLAIMED: [2013, 409, '该游戏账号正在申诉或包赔理赔，或已由包赔赔付，不能发布、上架或回收'],
  GOODS_DUPLICATE: [2005, 409, '该游戏账号已有在售商品，不能重复发布'],
  GOODS_NEW_SELLER_COUNT: [2006, 422, '完成 5 笔交易前最多同时发布 10 件商品'],
  GOODS_NEW_SELLER_PRICE: [2007, 422, '完成 5 笔交易前单件价格不能超过 3,000 元'],
  GOODS_CHANGED: [2008, 409, '商品信息已变更，请刷新后重新确认'],
  GOODS_STOCK: [2009, 409, '库存不足'],
  GOODS_TYPE_UNSUPPORTED: [2010, 422, '该游戏不支持此商品类型'],
  GOODS_PASSWORD_DUE: [2012, 409, '上一笔订单里已有人查看过账号密码，请先在游戏里修改密码，再勾选“已修改密码”'],
  BARGAIN_NOT_FOUND: [2021, 404, '议价不存在'],
  BARGAIN_STATE: [2022, 409, '议价状态已变化，请刷新后查看'],
  BARGAIN_OPEN: [2023, 409, '您对该商品还有进行中的议价，请先等卖家回复或撤回'],
  BARGAIN_TRIES: [2024, 422, '您对该商品的出价次数已用完，可按标价购买或过几天再试'],
  BARGAIN_CLOSED: [2025, 409, '卖家不接受议价'],
  WANT_NOT_FOUND: [2031, 404, '求购不存在或已关闭'],
  WANT_STATE: [2032, 409, '求购已结束，不能再修改'],
  WANT_COUNT: [2033, 422, '同时最多发布 20 条求购，请先关闭一些'],
  ALERT_NOT_FOUND: [2034, 404, '订阅不存在或已删除'],
  ALERT_COUNT: [2035, 422, '最多订阅 50 个搜索，请先删除一些'],
  /** Another member of staff saved or decided the text or advert in the meantime. */
  /** The game's draft or catalogue is no longer the displayed one: load it again. */
  GAME_CHANGED: [2041, 409, '这个游戏刚被别人改过，请重新载入后再试'],
  /** A document of a game that cannot be published; the response to saving it lists the problems. */
  GAME_INVALID: [2042, 422, '还有内容需要改正，改好后才能发布'],
  CONTENT_CHANGED: [2011, 409, '内容已被他人修改，请刷新后再试'],
  PICTURE_TYPE: [2101, 422, '图片格式错误，请上传JPEG/JPG/PNG'],
  PICTURE_TOO_LARGE: [2102, 413, '图片大小不能超过10M'],
  PICTURE_BROKEN: [2103, 422, '图片无法识别，请换一张'],
  /** A chat or evidence picture requested by someone other than the person it was shown to. */
  PICTURE_PRIVATE: [2104, 403, '这张图片只对有权查看的人开放'],
  PICTURE_ENDED: [2105, 410, '图片地址已过期'],

  ORDER_NOT_FOUND: [3001, 404, '订单不存在'],
  ORDER_STATE: [3002, 409, '订单状态已变化，请刷新后查看'],
  ORDER_FORBIDDEN: [3003, 403, '没有权限操作该订单'],
  ORDER_TOO_MANY_UNPAID: [3004, 422, '您已有 3 笔待付款订单，请先付款或取消'],
  ORDER_HANDOVER_OPEN: [3005, 409, '还有必要的交付步骤未完成，请先在订单页完成'],
  ORDER_CANCEL_NEEDS_SELLER: [3006, 409, '卖家或客服已开始处理，需卖家同意后才能取消'],
  ORDER_RATED: [3008, 409, '该订单已评价'],
  REVIEW_NOT_FOUND: [3031, 404, '评价不存在或已不公开'],
  REVIEW_ANSWERED: [3032, 409, '这条评价已经回复过'],
  REVIEW_ANSWER_OVER: [3033, 409, '评价发布超过 30 天，不能再回复'],
  REVIEW_REPORTED: [3034, 409, '您已举报过，处理结果会通知您'],
  REVIEW_REPORTS: [3035, 429, '今天的举报次数已用完，请明天再试'],
  REVIEW_OWN: [3036, 422, '不能举报自己写的内容'],
  /** It no longer has a pending report: a colleague has decided. */
  QUESTION_NOT_FOUND: [3041, 404, '这条提问不存在或已不公开'],
  QUESTION_ANSWERED: [3042, 409, '这条提问已经回答过'],
  QUESTION_MERGED: [3043, 409, '这条回答已经写进商品描述'],
  GOODS_REPORTED: [3044, 409, '您已举报过，处理结果会通知您'],
  GOODS_REPORTS_FALSE: [3045, 403, '您近期多次举报不实，暂时不能举报'],
  GOODS_REPORT_OWN: [3046, 422, '不能举报自己发布的内容'],
  GOODS_REPORT_STATE: [3047, 409, '这条举报已被处理，请刷新后查看'],
  REVIEW_STATE: [3037, 409, '这条举报已被处理，请刷新后查看'],
  ORDER_SERVICE_TYPE: [3009, 422, '该商品类型请在对应的服务页面下单'],
  /** The brand is suspended: existing orders continue, new ones are rejected. */
  SITE_SUSPENDED: [3014, 409, '本站暂停接单，已下的订单照常进行'],
  ORDER_PAUSE: [3011, 429, '您最近有下单未付款的记录，请稍后再下单'],
  ORDER_SAME_GOODS: [3012, 429, '您 24 小时内下过这件商品但没有付款，请稍后再下单'],
  ORDER_SERVICE_ACT: [3016, 409, '代练和陪玩订单请在服务进度里操作'],
  /** A recycled account's order is shipped and completed by the inspection, not by a user. */
  ORDER_RECYCLED: [3017, 409, '验号通过后自动付款，不用您确认'],
  SERVICE_CLOSED: [3015, 409, '该服务暂时不能下单'],
  ORDER_NOT_ASSIGNED: [3013, 403, '只有负责本单的客服可以操作，请先在交易群接手本单'],
  ORDER_DISPUTED: [3010, 409, '订单在申诉中，请在申诉里裁决'],

  /** The viewer may not open the form yet: the login is not checked, or the order is not shipped. */
  SEAL_NOT_YET: [3021, 409, '客服核对登录并发货后才能打开密封信息'],
  SEAL_NOT_ACCEPTED: [3024, 409, '接单后才能打开账号资料'],
  SEAL_PAUSED: [3025, 409, '服务已暂停，继续后才能打开账号资料'],
  SEAL_OTHER_ACCOUNT: [3027, 422, '账号资料里的账号与登记的游戏账号不一致'],
  SEAL_DELIVERED: [3026, 409, '全部完成后账号资料已对打手关闭；需要再上号请联系买家确认或找客服'],
  SEAL_NONE: [3022, 404, '对方还没有提交密封信息'],
  /** The order is assigned to another member of staff. */
  SEAL_NOT_ASSIGNED: [3023, 403, '密封信息只对负责本单的客服开放'],

  BALANCE_LOW: [3101, 422, '可用余额不足，请先充值'],
  PAY_PASSWORD_REQUIRED: [3102, 422, '请输入支付密码'],
  PAY_PASSWORD_WRONG: [3103, 422, '支付密码错误'],
  PAY_PASSWORD_LOCKED: [3104, 429, '支付密码已锁定，请24小时后再试或重置'],
  PAY_PASSWORD_UNSET: [3160, 422, '您还没有设置支付密码，请先设置'],
  PAY_AMOUNT: [3105, 422, '金额超出允许范围'],
  PAY_NOT_FOUND: [3106, 404, '支付单不存在'],
  PAY_CHANNEL_CLOSED: [3107, 422, '该支付方式未开通'],
  /** Not paid yet; the client polls again by our number. */
  PAY_WAITING: [3110, 409, '等待付款，付款后自动更新'],
  PAY_ALREADY: [3111, 409, '这笔付款已经到账，不需要再付'],
  PAY_ELSEWHERE: [3112, 409, '这笔付款已在另一个微信里打开，请回到那里付款，或重新发起付款'],
  PAY_CLOSED: [3108, 409, '支付单已关闭，请重新发起'],
  PAYEE_REQUIRED: [3201, 422, '请先绑定收款账户'],
  PAYEE_NAME: [3202, 422, '收款人必须与实名认证姓名一致'],
  /** Withdrawals are paused after a change of phone, payee or pay password; the text names the reason and the end. */
  PAYOUT_WAIT: [3161, 409, '账户资料刚变更，24 小时后才能提现'],
  WITHDRAW_LIMIT: [3203, 422, '超出今日提现次数或额度'],
  WITHDRAW_STATE: [3204, 409, '该提现申请已处理'],
  DEBT_OPEN: [3208, 409, '您还有欠款未还清，请先用余额偿还'],
  SECOND_PERSON: [3205, 403, '该金额需另一位工作人员复核'],

  COUPON_GONE: [3401, 409, '优惠券已领完或活动已结束'],
  COUPON_TAKEN: [3402, 409, '您已领取过该优惠券'],
  COUPON_UNUSABLE: [3403, 409, '优惠券不可用于该订单'],
  LOTTERY_CLOSED: [3404, 409, '抽奖活动暂未开放'],
  LOTTERY_NO_DRAWS: [3405, 409, '今天的抽奖次数已用完，请明天再来'],
  CAMPAIGN_STATE: [3406, 409, '活动状态已变化，请刷新后查看'],
  SETTLEMENT_OPEN: [3408, 409, '已有待打款的结算申请'],
  SETTLEMENT_STATE: [3409, 409, '该结算申请已处理'],
  CAMPAIGN_CODE: [3407, 409, '活动编号已存在，请换一个'],
  /** A large amount or a changed payee: the request must include a code sent to the owner's phone. */
  SMS_REQUIRED: [3206, 422, '该笔提现需要短信验证码，请获取后填写'],
  REFUND_NONE: [3207, 409, '该订单没有可以原路退回的金额'],
  REFUND_CHOICE: [3209, 409, '退款已经开始，不能再改退款去向'],
  TOPUP_REFUND: [3282, 409, '这笔充值不能原路退回'],
  /** The channel did not respond in time; nothing was charged. */
  PAY_CHANNEL_BUSY: [3109, 503, '支付平台暂时没有响应，请稍后再试，或更换支付方式'],

  PROVIDER_REQUIRED: [3601, 403, '请先申请并通过审核'],
  PROVIDER_STATE: [3602, 409, '申请状态已变化，请刷新后查看'],
  SHOP_DEPOSIT: [3611, 403, '请先缴纳店铺保证金'],
  SHOP_LISTINGS: [3612, 422, '在售报价已达保证金等级的上限'],
  MIDDLEMAN_ACCOUNT: [3632, 409, '该游戏账号已在出售或在另一笔交易中，请先下架商品或结束那笔交易'],
  ACCOUNT_CLAIMED: [3633, 409, '该游戏账号正在申诉或包赔理赔，或已由包赔赔付，不能交易'],
  MIDDLEMAN_STATE: [3631, 409, '该交易已被处理或已过期'],
  COIN_LOTS: [3621, 422, '份数不在该报价允许的范围内'],
  COIN_OPEN_ORDERS: [3622, 409, '还有进行中的订单，完成后才能操作'],

  DEPOSIT_REACHED: [3501, 409, '该等级的保证金已缴足'],
  DEPOSIT_RELEASING: [3502, 409, '该保证金正在退还，请先取消退还'],
  DEPOSIT_NONE: [3503, 409, '没有可退还的保证金'],
  DEPOSIT_NO_RELEASE: [3504, 409, '没有进行中的退还申请'],

  CHAT_NOT_MEMBER: [3301, 403, '不在该群聊中'],
  CHAT_EMPTY: [3302, 422, '消息不能为空'],
  CHAT_CLOSED: [3303, 409, '该群聊已结束，不能再发送消息'],
  CHAT_RECALL: [3304, 409, '只能撤回自己两分钟内发送的消息'],

  /** Another person changed the setting since the author read it. */
  SETTING_CHANGED: [3701, 409, '这项设置刚被修改过，请刷新后再试'],
  /** One change of a setting may be planned at a time. */
  SETTING_PENDING: [3702, 409, '这项设置已有一条待生效的修改，请先撤销它'],
  /** A change is waiting for approval by a second person. */
  SETTING_DRAFT: [3703, 409, '这项设置有一条修改正在等待复核'],
  /** The fees were changed between the price that the buyer saw and the order. */
  PRICE_CHANGED: [3704, 409, '费用刚刚调整，请核对新的应付金额后再提交'],
  /** Another person wrote a newer version of a notice, a rule, an agreement, a reason or a word since the author read it. */
  TEXT_CHANGED: [3705, 409, '刚有同事修改过，请刷新后再试'],
  /** One version of a rule or an agreement may be planned at a time. */
  TEXT_PENDING: [3706, 409, '已有一个待生效的版本，请先撤销它'],
  /** The user must agree to a new version of an agreement before a new trade. */
  CONSENT_DUE: [3707, 409, '协议已更新，请先阅读并同意新版本'],

  DISPUTE_NOT_FOUND: [3661, 404, '申诉不存在'],
  DISPUTE_OPEN: [3662, 409, '该订单已有处理中的申诉'],
  DISPUTE_STATE: [3663, 409, '申诉状态已变化，请刷新后查看'],
  DISPUTE_UNAVAILABLE: [3664, 409, '该订单现在不能申诉'],
  DISPUTE_OTHER_PERSON: [3665, 403, '上诉须由另一位工作人员裁决'],
  COVER_NOT_FOUND: [3651, 404, '没有这份保障'],
  CLAIM_NOT_FOUND: [3652, 404, '理赔不存在'],
  CLAIM_STATE: [3653, 409, '理赔状态已变化，请刷新后查看'],
  CLAIM_UNAVAILABLE: [3654, 409, '这份保障现在不能理赔'],
  /** The guarantee's terms do not cover the reason. */
  CLAIM_REASON: [3655, 422, '这份保障不含所选原因'],
  /** More than the reason covers, given the receipts entered so far. */
  CLAIM_LIMIT: [3656, 422, '理赔金额超过该原因的赔付范围'],
  DISPUTE_TOO_MANY: [3666, 429, '今日发起的申诉过多，请明天再试'],
} as const satisfies Record<string, readonly [number, number, string]>;

/** The name of an error; thrown by the server as AppError(name). */
export type ErrorName = keyof typeof codes;

/** One invalid field of an input: its path and a sentence that can be shown next to it. */
export interface FieldError {
  field: string;
  msg: string;
  /** The permitted values, where the field takes one of a few. */
  allowed?: string[];
}
