/** One of the six security measures of an account (product.md 4), with the page that adds it. */
import { AuthStatus } from '#contract/rules/statuses.ts';
export interface SecurityItem {
  name: string;
  held: boolean;
  to: string;
}

interface AccountSecurity {
  authStatus: number;
  isHadPhone: boolean;
  isHadPassWord: boolean;
  isPayPassWord: boolean;
  isHadEmail: boolean;
  aliAccount: string | null;
  wxAccount: string | null;
  bankAccount: string | null;
}

/** The six measures, each worth one point. */
export function securityItems(account: AccountSecurity): SecurityItem[] {
  return [
    { name: '实名认证', held: account.authStatus === AuthStatus.Verified, to: '/center/myself/identityAuthentication' },
    { name: '手机', held: account.isHadPhone, to: '/center/myself/changePhone' },
    { name: '登录密码', held: account.isHadPassWord, to: '/center/myself/changePassword' },
    { name: '支付密码', held: account.isPayPassWord, to: '/center/myself/changePayPassword' },
    {
      name: '收款账户',
      held: Boolean(account.aliAccount ?? account.wxAccount ?? account.bankAccount),
      to: '/center/myself/changeAliAccount',
    },
    { name: '邮箱', held: account.isHadEmail, to: '/center/myself/changeEmail' },
  ];
}
