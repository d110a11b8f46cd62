import { Gift, Monitor, Wallet, Wifi } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { personLinkMark, type PersonLinkReason, personLinks } from '#subjects/back-office/contract/person.ts';
import type { Data } from '#contract/endpoint.ts';
import { UserStatus } from '#contract/rules/statuses.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { cx } from '#web/ui/class-names.ts';
import { EmptyState } from '#web/ui/states.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { Panel } from '../parts/panel.tsx';
import { ReasonDialog } from '../parts/dialogs/reason-dialog.tsx';
import { usePanel } from '../parts/use-panel.ts';
import type { PersonData } from './data.ts';
import { LinkGraph } from './graph.tsx';

type Links = Data<typeof personLinks>;
type LinkedPerson = Links['people'][number];

const ICONS = { browser: Monitor, payee: Wallet, network: Wifi, inviter: Gift } as const;
const STRENGTHS = { strong: ['强', 3], medium: ['中', 2], weak: ['弱', 1] } as const;

function Strength({ of }: { of: PersonLinkReason['strength'] }) {
  const [name, filled] = STRENGTHS[of];
  return (
    <span className="person-strength" title={`关联强度：${name}`}>
      {[1, 2, 3].map((step) => (
        <i key={step} data-on={step <= filled ? '' : undefined} aria-hidden="true" />
      ))}
      {name}
    </span>
  );
}

interface Judging {
  reason: PersonLinkReason;
  person: LinkedPerson;
}

/** One person of a reason: the name, the mark if any, and the action. */
function ReasonPerson({
  reason,
  person,
  self,
  onJudge,
  onChanged,
}: Judging & { self: string; onJudge: ((judging: Judging) => void) | null; onChanged: () => void }) {
  const mark = reason.mark.find(({ userId }) => userId === person.userId);
  const { busy, error, send } = useMutation(personLinkMark, {
    done: () => {
      toast('已撤回', 'ok');
      onChanged();
    },
  });
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <Link to={`/backstage/users/${person.userId}`} className={cx('link', mark && 'line-through opacity-70')}>
        {person.nickName}
      </Link>
      {person.status === UserStatus.Restricted && <span className="text-danger">已限制</span>}
      {mark ? (
        <span className="text-12 text-ink-3">
          {mark.staffName} 标为无关：{mark.reason}
          {onJudge && (
            <Button
              kind="ghost"
              size="sm"
              busy={busy}
              onClick={() =>
                void send({
                  userId: self,
                  otherId: person.userId,
                  kind: reason.kind,
                  isUnrelated: '0',
                  reason: '撤回标记',
                })
              }
            >
              撤回
            </Button>
          )}
        </span>
      ) : (
        onJudge && (
          <button
            type="button"
            className="hit text-12 text-ink-3 hover:text-link"
            onClick={() => onJudge({ reason, person })}
          >
            标为无关
          </button>
        )
      )}
      <FormError className="basis-full">{error}</FormError>
    </span>
  );
}

function ReasonList({
  links,
  self,
  active,
  onActive,
  onJudge,
  onChanged,
}: {
  links: Links;
  self: string;
  active: string | null;
  onActive: (key: string | null) => void;
  onJudge: ((judging: Judging) => void) | null;
  onChanged: () => void;
}) {
  return (
    <ul className="person-reasons">
      {links.reasons.map((reason) => {
        const Icon = ICONS[reason.kind];
        return (
          <li
            key={reason.key}
            data-active={active === reason.key ? '' : undefined}
            onPointerEnter={() => onActive(reason.key)}
            onPointerLeave={() => onActive(null)}
          >
            <span className="person-reason-icon">
              <Icon className="icon" aria-hidden="true" />
            </span>
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2">
                <b className="font-semibold">{reason.kindName}</b>
                <span className="text-12 text-ink-3">{reason.label}</span>
                <Strength of={reason.strength} />
              </p>
              <p className="text-12 text-ink-2">{reason.evidence}</p>
              <div className="mt-1 grid gap-0.5">
                {links.people
                  .filter(({ userId }) => reason.users.includes(userId))
                  .map((person) => (
                    <ReasonPerson
                      key={person.userId}
                      reason={reason}
                      person={person}
                      self={self}
                      onJudge={onJudge}
                      onChanged={onChanged}
                    />
                  ))}
              </div>
            </div>
          </li>
        );
      })}
      {links.others > 0 && <li className="text-12 text-ink-3">另有 {links.others} 人，关联较弱，没有列出。</li>}
      {links.publicNetworks > 0 && (
        <li className="text-12 text-ink-3">{links.publicNetworks} 个网络有 8 人以上在用，是公共网络，不算关联。</li>
      )}
    </ul>
  );
}

/** Users linked to this user, as a graph with the reasons and as a list. */
export function LinksPanel({ head, mayJudge }: { head: PersonData['head']; mayJudge: boolean }) {
  const { userId } = head;
  const state = usePanel(personLinks, { userId });
  const [active, setActive] = useState<string | null>(null);
  const [isGraph, setGraph] = useState(false);
  const [judging, setJudging] = useState<Judging | null>(null);
  const count = state.data?.people.length ?? 0;
  return (
    <div id="links" className="scroll-mt-16">
      <Panel
        title="关联"
        note={
          state.data
            ? count === 0
              ? '没有'
              : `${count + state.data.others} 人；有关联的两人互相成交不计入等级，也不能用优惠券`
            : undefined
        }
        of={state}
        minHeight={240}
        aside={
          count > 0 && (
            <Button size="sm" className="md:hidden" aria-expanded={isGraph} onClick={() => setGraph(!isGraph)}>
              {isGraph ? '收起关系图' : '看关系图'}
            </Button>
          )
        }
      >
        {(links) =>
          links.people.length === 0 ? (
            <EmptyState title="没有关联的用户">
              没有人和这位用户共用浏览器、收款账户或家里的网络，也没有邀请关系。
              {links.publicNetworks > 0 && `用过 ${links.publicNetworks} 个公共网络，不算关联。`}
            </EmptyState>
          ) : (
            <div className="person-links">
              <div className={cx('min-w-0', !isGraph && 'max-md:hidden')}>
                <LinkGraph links={links} self={head} active={active} onActive={setActive} />
                <p className="graph-legend" aria-hidden="true">
                  <span className="graph-key-strong">强</span>
                  <span>中</span>
                  <span className="graph-key-weak">弱或已标无关</span>
                  <span className="graph-key-trade">成交方向</span>
                </p>
              </div>
              <ReasonList
                links={links}
                self={userId}
                active={active}
                onActive={setActive}
                onJudge={mayJudge ? setJudging : null}
                onChanged={state.reload}
              />
            </div>
          )
        }
      </Panel>
      {judging && (
        <ReasonDialog
          title="标为无关"
          action="标为无关"
          question={`${head.nickName} 和 ${judging.person.nickName} 的「${judging.reason.kindName}」会淡化显示，并留下您的名字和原因。等级、限额和优惠券的规则不变。`}
          reasons={['同住的家人，已核实', '网吧或宿舍共用设备', '朋友借用过一次']}
          reasonLabel="原因"
          isReasonNeeded
          send={(reason) =>
            call(
              personLinkMark,
              { userId, otherId: judging.person.userId, kind: judging.reason.kind, isUnrelated: '1', reason },
              { quiet: true },
            )
          }
          onDone={() => {
            setJudging(null);
            state.reload();
          }}
          onClose={() => setJudging(null)}
        />
      )}
    </div>
  );
}
