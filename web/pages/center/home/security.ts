/** One of the six things that make an account safe (product.md 4), with the page that adds it. */
import { AuthStatus } from '#contract/rules/statuses.ts';
export interface SecurityItem {
  name: string;
  held: boolean;
  to: string;
}

interface Facts {
  authStatus: number;
  isHadPhone: boolean;
  isHadPassWord: boolean;
  isPayPassWord: boolean;
  isHadEmail: boolean;
  aliAccount: string | null;
  wxAccount: string | null;
  bankAccount: string | null;
}

/** The six, each worth one point. */
export function securityItems(facts: Facts): SecurityItem[] {
  return [
    { name: '实名认证', held: facts.authStatus === AuthStatus.Verified, to: '/center/myself/identityAuthentication' },
    { name: '手机', held: facts.isHadPhone, to: '/center/myself/changePhone' },
    { name: '登录密码', held: facts.isHadPassWord, to: '/center/myself/changePassword' },
    { name: '支付密码', held: facts.isPayPassWord, to: '/center/myself/changePayPassword' },
    {
      name: '收款账户',
      held: Boolean(facts.aliAccount ?? facts.wxAccount ?? facts.bankAccount),
      to: '/center/myself/changeAliAccount',
    },
    { name: '邮箱', held: facts.isHadEmail, to: '/center/myself/changeEmail' },
  ];
}
