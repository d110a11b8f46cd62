import { final, open, type VendorCodes } from './vendor-codes.ts';

/** Error codes and states of /v3/refund/domestic/refunds. */
export const wechatRefundCodes: VendorCodes = {
  PARAM_ERROR: final('退款参数被微信支付拒绝，请联系技术人员核对'),
  INVALID_REQUEST: final('退款不符合微信支付的规则，例如金额超过可退金额'),
  USER_ACCOUNT_ABNORMAL: final('买家的微信支付账户异常或已注销'),
  RESOURCE_NOT_EXISTS: final('微信支付没有这笔交易'),
  ORDER_CLOSED: final('交易已关闭，不能退款'),
  CLOSED: final('微信支付关闭了这笔退款，钱没有退出'),
  ABNORMAL: open('退款已扣出我方资金，但买家的银行卡作废或冻结；请在微信支付商户平台处理，再在这里登记结果'),
  NOT_ENOUGH: open('我方微信支付账户余额不足，请充值，充值后自动重试'),
  MCH_NOT_EXISTS: open('微信支付不认识我方商户号，请检查配置'),
  REQUEST_BLOCKED: open('微信支付拦截了这次退款，请在商户平台查看原因'),
  RULE_LIMIT: open('触发微信支付的业务限制，请在商户平台查看原因'),
  PROCESSING: open('微信支付正在处理，请等待'),
};

/** Error codes, states and reasons of /v3/fund-app/mch-transfer/transfer-bills. */
export const wechatPayoutCodes: VendorCodes = {
  PARAM_ERROR: final('转账参数被微信支付拒绝，请联系技术人员核对'),
  INVALID_REQUEST: final('转账不符合微信支付的规则'),
  OPENID_ERROR: final('收款账号不存在，或已注销'),
  APPID_MCHID_NOT_MATCH: final('商户号与公众号没有绑定，请检查配置'),
  OVER_LIMIT: final('超过微信支付的转账限额'),
  FAIL: final('微信支付报告转账失败'),
  CANCELLED: final('转账已撤销'),
  NOT_ENOUGH: open('我方微信支付账户余额不足，请充值，充值后自动重试'),
  WAIT_USER_CONFIRM: open('等待收款人在微信里确认'),
  ACCEPTED: open('微信支付已受理，请等待'),
  PROCESSING: open('微信支付正在处理，请等待'),
  TRANSFERING: open('微信支付正在转账，请等待'),
  CANCELING: open('微信支付正在撤销，请等待'),
  MCH_NOT_EXISTS: open('微信支付不认识我方商户号，请检查配置'),
};
