import { AuthStatus } from '#contract/rules/statuses.ts';
import { IdCard, KeyRound, Mail, type LucideIcon, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import { changeUserUsualInfo, getUserInviteCode } from '#subjects/accounts/contract/user.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { fenOf, grouped } from '#web/lib/format/format.ts';
import { nextPart } from '#subjects/payments/web/parts/money/hold-parts.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { TopUp } from '#subjects/payments/web/parts/pay/top-up.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { CopyButton, copyText } from '#web/ui/copy-button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import type { HomeData } from './home-loader.ts';

type User = HomeData['user'];

/** Online or away; switched immediately and reverted when the call fails. */
function OnlineSwitch({ initial }: { initial: boolean }) {
  const [on, setOn] = useState(initial);
  const toggle = () => {
    const next = !on;
    setOn(next);
    call(changeUserUsualInfo, { isOnline: next }).catch(() => setOn(!next));
  };
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label="在线状态"
      className="hit inline-flex items-center gap-1.5 text-13"
      onClick={toggle}
    >
      <span
        className={cx('relative h-4.5 w-8 rounded-full transition-colors', on ? 'bg-safe-dot' : 'bg-line-control')}
        aria-hidden="true"
      >
        <i
          className={cx(
            'absolute top-0.5 size-3.5 rounded-full bg-white transition-[left]',
            on ? 'left-4' : 'left-0.5',
          )}
        />
      </span>
      {on ? '在线' : '离线'}
    </button>
  );
}

function Badge({ Icon, name, held, to }: { Icon: LucideIcon; name: string; held: boolean; to: string }) {
  return (
    <Link
      to={to}
      className={cx('inline-flex items-center gap-1 hover:underline max-md:py-2', held ? 'text-safe' : 'text-ink-3')}
    >
      <Icon className="icon size-3.5" aria-hidden="true" />
      {name}
    </Link>
  );
}

function Badges({ user }: { user: User }) {
  const badges = [
    {
      Icon: IdCard,
      held: user.authStatus === AuthStatus.Verified,
      on: '已实名',
      off: '未实名',
      to: '/center/myself/identityAuthentication',
    },
    { Icon: Smartphone, held: user.isHadPhone, on: '手机', off: '未绑手机', to: '/center/myself/changePhone' },
    {
      Icon: KeyRound,
      held: user.isPayPassWord,
      on: '支付密码',
      off: '未设支付密码',
      to: '/center/myself/changePayPassword',
    },
    { Icon: Mail, held: user.isHadEmail, on: '邮箱', off: '未绑邮箱', to: '/center/myself/changeEmail' },
  ];
  return (
    <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-12 max-md:-mb-2 max-md:mt-0 max-md:gap-y-0">
      {badges.map(({ Icon, held, on, off, to }) => (
        <Badge key={to} Icon={Icon} name={held ? on : off} held={held} to={to} />
      ))}
    </p>
  );
}

function Person({ user }: { user: User }) {
  return (
    <div className="flex min-w-0 gap-4 p-5">
      <Avatar name={user.nickName} src={user.avatar} size={64} />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <b className="text-20 font-semibold">{user.nickName}</b>
          {user.vipLevel > 0 && <Tag>VIP{user.vipLevel}</Tag>}
          <OnlineSwitch initial={user.isOnline} />
        </p>
        <p className="mt-1 inline-flex gap-1 text-12 text-ink-3">
          ID <CopyButton text={user.unionNum} label="ID" />
        </p>
        <Badges user={user} />
      </div>
    </div>
  );
}

function Assets({ data, onTopUp }: { data: HomeData; onTopUp: () => void }) {
  const { user, holds, methods } = data;
  const soonest = nextPart(holds);
  const figures = (
    [
      ['可用余额', user.coin],
      ['冻结', user.frozenCoin],
      ['保证金', user.depositCoin],
    ] as const
  ).filter(([, yuan], index) => index === 0 || fenOf(yuan) !== 0);
  const hasMoney = fenOf(user.coin) > 0;
  const topUpKind = hasMoney ? 'plain' : 'primary';
  return (
    <div className="grid content-between gap-3 border-line-soft p-5 max-md:border-t md:border-l">
      <dl className="grid grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)_minmax(0,1fr)] gap-3">
        {figures.map(([label, yuan], index) => (
          <div key={label} className="grid content-start gap-0.5">
            <dt className="text-12 text-ink-3">{label}</dt>
            <dd className={cx('leading-7.5', index === 0 ? 'text-20 font-bold' : 'text-16')}>
              <Amount yuan={yuan} />
            </dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap items-center gap-2">
        {/* An available balance offers a withdrawal; an empty wallet offers a top-up. */}
        {hasMoney && (
          <ButtonLink to="/center/mywallets/withdrawal" kind="primary">
            提现
          </ButtonLink>
        )}
        {methods ? (
          <Button kind={topUpKind} onClick={onTopUp}>
            充值
          </Button>
        ) : (
          <ButtonLink to="/center/myself/recharge" kind={topUpKind}>
            充值
          </ButtonLink>
        )}
        <ButtonLink to="/center/mywallets/list">账单</ButtonLink>
        {soonest?.time && (
          <p className="text-12 text-ink-3 max-md:basis-full md:ml-auto">
            冻结中 <Amount yuan={soonest.amount} /> 于 {fullAt(soonest.time)} 解冻
          </p>
        )}
      </div>
    </div>
  );
}

/** Copies the share link with the code. */
function Invite({ code }: { code: string }) {
  const { busy, send } = useMutation(getUserInviteCode, { toasts: true, done: ({ shareUrl }) => copyText(shareUrl) });
  return (
    <button
      type="button"
      className="hit ml-auto inline-flex items-center gap-2 max-md:ml-0"
      onClick={() => void send({})}
      disabled={busy}
    >
      <span className="text-ink-2">邀请码</span>
      <b className="font-semibold">{code}</b>
      <span className="link">复制链接</span>
    </button>
  );
}

/** The member panel, on /center only (product.md 2). */
export function MemberHeader({ data }: { data: HomeData }) {
  const { user, methods, now } = data;
  const { revalidate } = useRevalidator();
  const [open, setOpen] = useState(false);
  return (
    <section className="panel overflow-hidden" aria-label="我的信息">
      <div className="grid md:grid-cols-2">
        <Person user={user} />
        <Assets data={data} onTopUp={() => setOpen(true)} />
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1 border-t border-line-soft px-5 py-2.5 text-13">
        {user.sellGoodsNum > 0 && (
          <Link to="/center/sellOutGoods" className="hit hover:text-link">
            在售 <b className="font-semibold">{grouped(user.sellGoodsNum)}</b>
          </Link>
        )}
        {user.followNum > 0 && (
          <Link to="/center/buyLikedGoods" className="hit hover:text-link">
            收藏 <b className="font-semibold">{grouped(user.followNum)}</b>
          </Link>
        )}
        <Invite code={user.inviteCode} />
      </div>
      {open && methods && (
        <Dialog
          title="充值"
          onClose={() => {
            setOpen(false);
            void revalidate();
          }}
          closeOnBackdrop={false}
        >
          <TopUp
            methods={methods}
            now={now}
            back="/center/myself/recharge"
            className="-m-4"
            onDone={() => setOpen(false)}
          />
        </Dialog>
      )}
    </section>
  );
}
