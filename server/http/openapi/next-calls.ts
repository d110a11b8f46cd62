import type { ErrorName } from '#contract/codes.ts';

/**
 * The call that resolves an error, for errors that one call can resolve. Programs read it from the error's field `call`. An error with another
 * remedy names the call itself (`AppError.call`).
 */
export const NEXT_CALLS: Readonly<Partial<Record<ErrorName, string>>> = {
  STEP_UP_REQUIRED: 'POST /api/user/stepUp',
  REAL_NAME_REQUIRED: 'POST /api/comm/submitCertificate',
  CHALLENGE_REQUIRED: 'GET /api/comm/challenge',
  PAY_PASSWORD_UNSET: 'POST /api/user/changeUserPassword',
  BALANCE_LOW: 'POST /api/pay/recPay',
  ORDER_HANDOVER_OPEN: 'POST /api/order/handoverDone',
  ORDER_SERVICE_TYPE: 'POST /api/service/placeOrder',
  SHOP_DEPOSIT: 'POST /api/pay/depositPay',
  DEPOSIT_RELEASING: 'POST /api/pay/depositRelease',
};
