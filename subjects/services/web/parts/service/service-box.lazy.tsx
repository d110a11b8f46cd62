import { Link } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import type { serviceOffer } from '#subjects/services/contract/services.ts';
import { durationText } from '#web/lib/format/format.ts';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Pictures } from './pictures.tsx';
import { VoicePlayer } from '../companion/voice-player.tsx';

export type ServiceOffer = Data<typeof serviceOffer>;
type Companion = NonNullable<ServiceOffer['companion']>;
type Detail = [label: string, value: string];

/** The booster's deposits, and their purposes. */
const DEPOSITS = [
  ['安全保证金', 'safetyDeposit', '账号被处罚时冻结，由平台裁决赔付'],
  ['效率保证金', 'efficiencyDeposit', '打手放弃或超时取消时归您'],
] as const;

const GENDERS = { female: '女', male: '男', secret: '' } as const;

function boostingDetails(offer: ServiceOffer): Detail[] {
  const { provider } = offer;
  return [
    ...(offer.route ? [['从哪到哪', offer.route.text] satisfies Detail] : []),
    ['服务方式', offer.modeName],
    [
      '约定用时',
      `${offer.hours} 小时/${offer.unit}，从${offer.mode === 'account' ? '接单且提交账号' : '接单且双方到场'}起算`,
    ],
    ['接单时限', `${offer.acceptMinutes} 分钟内，未接单全额退回`],
    [
      '打手',
      `${provider.name}，已完成 ${provider.doneNum} 单${provider.onTimeRate === null ? '' : `，准时 ${provider.onTimeRate}%`}`,
    ],
  ];
}

function companionDetails(offer: ServiceOffer, companion: Companion): Detail[] {
  const { provider } = offer;
  const person = [GENDERS[companion.gender], companion.city].filter((text) => text !== '').join('，');
  return [
    [
      '陪玩',
      `${provider.name}${person && `（${person}）`}，已完成 ${provider.doneNum} 单，未到场 ${companion.noShows} 次`,
    ],
    ['方式', `${offer.modeName}，您用自己的账号`],
    ['接单时段', companion.hours || '全天'],
    [
      '接单时限',
      `马上开始的 ${offer.acceptMinutes} 分钟内接单，再 ${companion.readyMinutes} 分钟内开始；预约的最长 ${durationText(companion.bookAcceptMinutes)}内接单。未接单全额退回`,
    ],
    [
      '未到场',
      `超过约定 ${companion.noShowMinutes} 分钟：陪玩没到，自动全额退款；您没到，按等候的 ${companion.noShowMinutes} 分钟结算`,
    ],
    ['结算', `双方到场才计时，按实际分钟结算；一方结束后 ${companion.endMinutes} 分钟内没有申诉即生效`],
    ...(companion.trialMinutes > 0
      ? [['试玩', `首单 ${companion.trialMinutes} 分钟内结束不收费`] satisfies Detail]
      : []),
  ];
}

function Details({ details }: { details: readonly Detail[] }) {
  return (
    <dl className="grid grid-cols-[5em_minmax(0,1fr)] gap-y-1.5">
      {details.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-ink-3">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The stages with the cumulative payment after each. */
function Stages({ offer }: { offer: ServiceOffer }) {
  const paid = offer.milestones.map((_, index) =>
    offer.milestones.slice(0, index + 1).reduce((sum, { sharePercent }) => sum + sharePercent, 0),
  );
  return (
    <>
      <table className="mt-3 w-full border-t border-line-soft text-13">
        <caption className="sr-only">分段付款</caption>
        <thead>
          <tr className="border-b border-line-soft text-left text-12 text-ink-3">
            <th scope="col" className="py-1.5 font-normal" colSpan={2}>
              分段付款
            </th>
            <th scope="col" className="py-1.5 text-right font-normal">
              这一段
            </th>
            <th scope="col" className="w-20 py-1.5 text-right font-normal">
              累计
            </th>
          </tr>
        </thead>
        <tbody>
          {offer.milestones.map((m, index) => (
            <tr key={m.title} className="border-b border-line-soft">
              <td className="w-8 py-1.5">
                <i className="grid size-5 place-items-center rounded-full border border-brand-300 text-12 text-brand-700 not-italic">
                  {index + 1}
                </i>
              </td>
              <td className="py-1.5 font-semibold">{m.title}</td>
              <td className="py-1.5 text-right">
                <Amount yuan={m.amount} className="font-semibold" />
              </td>
              <td className="py-1.5 text-right text-12 text-ink-3">{Math.round(paid[index] ?? 0)}%</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-2 text-12 text-ink-3">您确认一段才付一段；打手接单时交两笔保证金：</p>
      <ul className="mt-2 grid grid-cols-2 gap-2" aria-label="打手的保证金">
        {DEPOSITS.map(([name, key, text]) => (
          <li key={key} className="rounded-control bg-safe-bg px-3 py-2 text-12 text-ink-2">
            <span className="flex items-baseline justify-between gap-2 text-13 font-semibold text-ink">
              {name}
              <Amount yuan={offer[key]} />
            </span>
            {text}
          </li>
        ))}
      </ul>
      {offer.provider.doneNum < 10 && (
        <p className="mt-2 text-12 text-ink-3">完成 {offer.provider.doneNum} 单，还不够统计准时率。</p>
      )}
    </>
  );
}

/** The voice sample and the pictures of a companion, as reviewed by staff. */
function Person({ companion, name }: { companion: Companion; name: string }) {
  return (
    <div className="mb-3 grid gap-2 empty:hidden">
      {companion.voice && (
        <p>
          <VoicePlayer voice={companion.voice} name={name} />
        </p>
      )}
      {companion.tags.length > 0 && (
        <p className="flex flex-wrap gap-1.5">
          {companion.tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </p>
      )}
      <Pictures pictures={companion.pictures} name="照片或战绩" />
    </div>
  );
}

/** The promises of a package: time, payment, and the provider's record as counted by the platform. */
export default function ServiceBox({ offer, isPlaced = false }: { offer: ServiceOffer; isPlaced?: boolean }) {
  const { companion } = offer;
  return (
    <section className="mt-3 rounded-control border border-line px-4 py-3 text-13" aria-label="服务约定">
      {companion ? (
        <>
          <Person companion={companion} name={offer.provider.name} />
          <Details details={companionDetails(offer, companion)} />
          <p className="mt-2 text-12 text-ink-3">双方均为实名成年人；聊天请留在平台内，随时可以紧急停止。</p>
        </>
      ) : (
        <>
          <Details details={boostingDetails(offer)} />
          {offer.route && !isPlaced && (
            <p className="mt-2">
              <Link
                to={`/wares?gt=60&gid=${offer.gameId}&rankFrom=${offer.route.from}&rankTo=${offer.route.to}`}
                className="link"
              >
                和同段位的套餐比一比
              </Link>
            </p>
          )}
          <Stages offer={offer} />
        </>
      )}
    </section>
  );
}
