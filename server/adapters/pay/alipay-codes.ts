import { final, open, type VendorCodes } from './vendor-codes.ts';

/** Error codes of alipay.trade.refund. */
export const alipayRefundCodes: VendorCodes = {
  'ACQ.TRADE_HAS_FINISHED': final('交易已结束，超过可退款期限，不能再退'),
  'ACQ.TRADE_HAS_CLOSE': final('交易已关闭，没有可退的金额'),
  'ACQ.TRADE_NOT_EXIST': final('支付宝没有这笔交易'),
  'ACQ.TRADE_STATUS_ERROR': final('交易状态不允许退款'),
  'ACQ.TRADE_NOT_ALLOW_REFUND': final('这笔交易不允许退款'),
  'ACQ.REASON_TRADE_STATUS_INVALID': final('交易状态不允许退款'),
  'ACQ.REASON_TRADE_REFUND_FEE_ERR': final('退款金额超过可退金额'),
  'ACQ.REFUND_FEE_ERROR': final('退款金额超过可退金额'),
  'ACQ.REFUND_AMT_NOT_EQUAL_TOTAL': final('退款金额超过可退金额'),
  'ACQ.ONLINE_TRADE_VOUCHER_NOT_ALLOW_REFUND': final('交易使用了不能退的优惠，支付宝不允许退款'),
  'ACQ.BUYER_NOT_EXIST': final('买家的支付宝账户不存在，或已注销'),
  'ACQ.INVALID_PARAMETER': final('退款参数被支付宝拒绝，请联系技术人员核对'),
  'ACQ.DISCORDANT_REPEAT_REQUEST': open('同一退款编号曾以其他金额提交，请在支付宝商家中心核对实际退款'),
  'ACQ.SELLER_BALANCE_NOT_ENOUGH': open('我方支付宝账户余额不足，请充值，充值后自动重试'),
  'ACQ.REASON_TRADE_BEEN_FREEZEN': open('交易被支付宝冻结，请联系支付宝解冻'),
  'ACQ.BUYER_ERROR': open('买家的支付宝账户状态异常，请联系支付宝确认'),
  'ACQ.BUYER_ENABLE_STATUS_FORBID': open('买家的支付宝账户被限制，请联系支付宝确认'),
};

/** Error codes of alipay.fund.trans.uni.transfer and its query. */
export const alipayPayoutCodes: VendorCodes = {
  PAYEE_NOT_EXIST: final('收款账号不存在，或已注销'),
  PAYEE_USER_INFO_ERROR: final('收款账号的姓名与实名信息不一致'),
  PAYEE_ACC_OCUPIED: final('收款账号对应多个支付宝账户，无法确定'),
  PAYEE_CERTIFY_LEVEL_LIMIT: final('收款账号未完成实名认证'),
  'PAYEE_ACCOUNT_*': final('收款账号不能收款，可能被限制或冻结'),
  'PAYEE_TRUSTEESHIP_*': final('收款账号不能收款，可能被限制或冻结'),
  PERMIT_CHECK_PERM_IDENTITY_THEFT: final('收款账号有被盗风险，支付宝拒绝付款'),
  PAYER_PAYEE_CANNOT_SAME: final('收款账号是我方的付款账户'),
  'EXCEED_LIMIT_*': final('超过支付宝的转账限额'),
  SECURITY_CHECK_FAILED: final('支付宝安全检查未通过'),
  FAIL: final('支付宝报告转账失败'),
  REFUND: final('收款方退回了这笔打款'),
  PAYER_BALANCE_NOT_ENOUGH: open('我方支付宝账户余额不足，请充值，充值后自动重试'),
  BALANCE_IS_NOT_ENOUGH: open('我方支付宝账户余额不足，请充值，充值后自动重试'),
  PERMISSION_DENIED: open('我方应用没有转账权限，请在支付宝开放平台检查签约'),
  DEALING: open('支付宝正在处理，请等待'),
  WAIT_PAY: open('转账等待付款方确认，请在支付宝商家中心处理'),
};
