import { Eye, Info, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import { personUnmask } from '#subjects/back-office/contract/person.ts';
import { AuthStatus, UserStatus } from '#contract/rules/statuses.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { FormError } from '#web/ui/forms/field.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { StatusDialog } from '#subjects/accounts/staff/status-dialog.tsx';
import type { PersonData } from './data.ts';
import { NoteDialog } from './note-dialog.tsx';

type Head = PersonData['head'];

/** A masked value with an eye button that reveals it, for staff with the permission; each reveal is recorded. */
function Masked({
  userId,
  field,
  mask,
  may,
}: {
  userId: string;
  field: 'phone' | 'realName';
  mask: string;
  may: boolean;
}) {
  const [whole, setWhole] = useState<string | null>(null);
  const { busy, error, send } = useMutation(personUnmask, { done: ({ value }) => setWhole(value) });
  if (whole !== null) return <span className="font-medium text-ink">{whole}</span>;
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      {mask}
      {may && (
        <Button
          kind="ghost"
          size="sm"
          icon
          busy={busy}
          aria-label={field === 'phone' ? '查看完整手机号，会留下记录' : '查看完整姓名，会留下记录'}
          title="查看完整，会留下记录"
          onClick={() => void send({ userId, field })}
        >
          <Eye className="icon size-3.5" aria-hidden="true" />
        </Button>
      )}
      <FormError>{error}</FormError>
    </span>
  );
}

/** Level, identity, restrictions and roles of a user. */
export function Tags({ head }: { head: Head }) {
  return (
    <>
      <Tag>{head.soldNum > 0 ? `${head.levelName}卖家` : '买家'}</Tag>
      {head.authStatus === AuthStatus.Verified ? (
        <Tag tone={head.isAdult === false ? 'attn' : 'safe'}>
          {head.isAdult === false ? '已实名，未成年' : '已实名，成年'}
        </Tag>
      ) : (
        <Tag>{head.authStatus === AuthStatus.Reviewing ? '实名审核中' : '未实名'}</Tag>
      )}
      {head.status === UserStatus.Restricted && <Tag tone="danger">已限制</Tag>}
      {head.status === UserStatus.Closed && <Tag tone="danger">已注销</Tag>}
      {head.payoutWait && (
        <Tag tone="attn">
          提现暂停到 {shortAt(head.payoutWait.until)}，{head.payoutWait.reason}
        </Tag>
      )}
      {head.roles.map(({ name, isApproved, statusName }) => (
        <Tag key={name}>
          {name}
          {isApproved ? '' : `，${statusName}`}
        </Tag>
      ))}
    </>
  );
}

/** The user's identity, masked. */
export function Facts({ head, may }: { head: Head; may: Pick<PersonData['may'], 'unmask'> }) {
  const facts: readonly [string, React.ReactNode][] = [
    ['编号', <CopyButton key="u" text={head.unionNum} label="用户编号" />],
    ['手机', <Masked key="p" userId={head.userId} field="phone" mask={head.phoneMask} may={may.unmask} />],
    [
      '姓名',
      head.realNameMask === null ? (
        '未实名'
      ) : (
        <Masked key="n" userId={head.userId} field="realName" mask={head.realNameMask} may={may.unmask} />
      ),
    ],
    ['证件', head.idMask ?? '无'],
    [
      '注册',
      <span key="c" title={fullAt(head.createTime)}>
        {fullAt(head.createTime).slice(0, 10)}
      </span>,
    ],
    ['最近访问', <TimeLabel key="s" at={head.lastSeenTime} />],
    ['来自', head.distName],
    [
      '邀请人',
      head.inviter ? (
        <Link key="i" to={`/backstage/users/${head.inviter.userId}`} className="link">
          {head.inviter.nickName}
        </Link>
      ) : (
        '无'
      ),
    ],
  ];
  return (
    <dl className="person-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The user's identity, and the staff actions on the account. */
export function PersonHead({ head, may, sees }: { head: Head; may: PersonData['may']; sees: PersonData['sees'] }) {
  const { revalidate } = useRevalidator();
  const [open, setOpen] = useState<'status' | 'note' | null>(null);
  const close = () => setOpen(null);
  return (
    <header className="person-head">
      <Avatar name={head.nickName} src={head.avatar} size={52} />
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2">
          <h1 className="text-20 font-semibold">{head.nickName}</h1>
          <Tags head={head} />
        </div>
        <Facts head={head} may={may} />
      </div>
      <div className="flex flex-wrap items-center gap-2 md:justify-end">
        {fenOf(head.debt) > 0 && (
          <Tag tone="danger">
            欠款 <Amount yuan={head.debt} />
          </Tag>
        )}
        {sees.orders && (
          <Link to={`/backstage/orders?keyWord=${head.userId}`} className="btn btn-sm">
            全部订单
          </Link>
        )}
        <Button size="sm" onClick={() => setOpen('note')}>
          加备注{head.counts.notes > 0 && `（${head.counts.notes}）`}
        </Button>
        {may.restrict && head.status !== UserStatus.Closed && (
          <Button
            size="sm"
            kind={head.status === UserStatus.Restricted ? 'plain' : 'danger'}
            onClick={() => setOpen('status')}
          >
            {head.status === UserStatus.Restricted ? '解除限制' : '限制账号'}
          </Button>
        )}
      </div>
      {open === 'note' && <NoteDialog userId={head.userId} onClose={close} />}
      {open === 'status' && (
        <StatusDialog
          user={head}
          onClose={close}
          onDone={() => {
            close();
            void revalidate();
          }}
        />
      )}
    </header>
  );
}

const PLACES = { links: ['#links', '看关联'], money: ['#money', '看资金'], withdrawals: ['#money', '看提现'] } as const;

/** Why staff should check this user now, with the recommended action. */
export function PersonAlert({
  alert,
  seesMoney,
  page = '',
}: {
  alert: Head['alert'];
  seesMoney: boolean;
  /** Link to the user's page, unless it is the current one. */
  page?: string;
}) {
  if (!alert) return null;
  const [to, label] = PLACES[alert.to];
  const Mark = alert.isSerious ? TriangleAlert : Info;
  return (
    <p className={cx('person-alert', alert.isSerious && 'person-alert-serious')} role="status">
      <Mark className="icon shrink-0" aria-hidden="true" />
      <b className="font-medium">{alert.text}</b>
      {(alert.to === 'links' || seesMoney) && (
        <a href={`${page}${to}`} className="btn btn-sm ml-auto">
          {label}
        </a>
      )}
    </p>
  );
}
