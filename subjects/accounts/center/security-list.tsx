import { AuthStatus } from '#contract/rules/statuses.ts';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { MAX_SECURITY_SCORE, securityLevel, securityLevelNames } from '#subjects/seller-levels/rules/standing.ts';
import { useLogout } from '#web/lib/session/logout.ts';
import { useSite } from '#web/lib/pages/site.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { CloseAccount } from './close-account.tsx';
import { DataExport } from '#subjects/data-export/center/data-export.tsx';
import { SessionList } from './session-list.tsx';
import type { SelfData } from './self-loader.ts';

const TONES = { safe: 'text-safe', good: 'text-safe', average: 'text-attn', dangerous: 'text-danger' } as const;

interface Item {
  name: string;
  held: boolean;
  /** The current value, or the purpose. */
  text: string;
  action: string;
  to: string;
}

function itemsOf(user: SelfData['user'], isMailOpen: boolean): Item[] {
  const payees = [
    user.aliAccount && `支付宝 ${user.aliAccount}`,
    user.wxAccount && `微信 ${user.wxAccount}`,
    user.bankAccount && `银行卡 ${user.bankAccount}`,
  ].filter(Boolean);
  const verified = user.authStatus === AuthStatus.Verified;
  const items: Item[] = [
    {
      name: '实名认证',
      held: verified,
      text: verified ? `已认证 ${user.realNameMask ?? ''}` : '交易、发布和提现前需要完成，约 1 分钟',
      action: verified ? '查看' : '去认证',
      to: '/center/myself/identityAuthentication',
    },
    {
      name: '手机',
      held: user.isHadPhone,
      text: user.isHadPhone ? `已绑定 ${user.phoneMask}` : '用于登录和接收重要提醒',
      action: '更换',
      to: '/center/myself/changePhone',
    },
    {
      name: '登录密码',
      held: user.isHadPassWord,
      text: user.isHadPassWord ? '已设置，建议定期更换' : '设置后可以用密码登录',
      action: user.isHadPassWord ? '修改' : '去设置',
      to: '/center/myself/changePassword',
    },
    {
      name: '支付密码',
      held: user.isPayPassWord,
      text: user.isPayPassWord ? '已设置，余额付款和提现时使用' : '余额付款和提现需要它',
      action: user.isPayPassWord ? '修改' : '去设置',
      to: '/center/myself/changePayPassword',
    },
    {
      name: '收款账户',
      held: payees.length > 0,
      text: payees.length > 0 ? payees.join('，') : '提现只能打到本人账户',
      action: payees.length > 0 ? '更换' : '去绑定',
      to: '/center/myself/changeAliAccount',
    },
    {
      name: '邮箱',
      held: user.isHadEmail,
      text: user.isHadEmail ? '已绑定' : isMailOpen ? '绑定后账户安全加 1 分' : '本站没有开通邮件，暂时不能绑定',
      action: user.isHadEmail ? '更换' : isMailOpen ? '去绑定' : '查看',
      to: '/center/myself/changeEmail',
    },
  ];
  return items;
}

function Score({ score }: { score: number }) {
  const level = securityLevel(score);
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-line-soft p-4 md:py-5">
      <p className="flex items-baseline gap-2">
        <b className="text-28 font-bold">{score}</b>
        <span className="text-ink-3">/ {MAX_SECURITY_SCORE}</span>
        <b className={cx('font-semibold', TONES[level])}>{securityLevelNames[level]}</b>
      </p>
      <div className="grid w-60 grid-cols-9 gap-1" aria-hidden="true">
        {Array.from({ length: MAX_SECURITY_SCORE }, (_, index) => (
          <i key={index} className={cx('h-1 rounded-full', index < score ? 'bg-safe-dot' : 'bg-line')} />
        ))}
      </div>
      <p className="text-12 text-ink-3">基础 3 分，每完成一项加 1 分</p>
    </div>
  );
}

/** The score, and each measure with the page that adds or changes it. */
export function Security({ user }: Pick<SelfData, 'user'>) {
  const logout = useLogout();
  const isMailOpen = useSite()?.services.mail !== false;
  const [closing, setClosing] = useState(false);
  return (
    <>
      <Score score={user.securityScore} />
      <ul>
        {itemsOf(user, isMailOpen).map(({ name, held, text, action, to }) => (
          <li key={name} className="flex items-center gap-3 border-b border-line-soft px-4 py-3.5">
            {held ? (
              <CircleCheck className="icon size-5 text-safe" strokeWidth={1.5} aria-label="已完成" role="img" />
            ) : (
              <CircleAlert className="icon size-5 text-attn" strokeWidth={1.5} aria-label="未完成" role="img" />
            )}
            <span className="grid min-w-0 flex-1 gap-x-6 md:grid-cols-[96px_minmax(0,1fr)] md:items-baseline">
              <b className="text-14 font-medium">{name}</b>
              <span className="text-13 text-ink-2">{text}</span>
            </span>
            <ButtonLink to={to} size="sm" {...(!held && { kind: 'tonal' as const })}>
              {action}
            </ButtonLink>
          </li>
        ))}
      </ul>
      <SessionList />
      <DataExport />
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3.5">
        <p className="text-13 text-ink-2">看到不认识的设备？让它退出，并修改登录密码。</p>
        <span className="flex gap-2">
          <Button size="sm" kind="ghost" onClick={() => setClosing(true)}>
            注销账号
          </Button>
          <Button size="sm" onClick={() => void logout()}>
            退出登录
          </Button>
        </span>
      </div>
      {closing && <CloseAccount onClose={() => setClosing(false)} />}
    </>
  );
}
