import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { companionFigures } from '#subjects/services/contract/companions.ts';
import type { Data } from '#contract/endpoint.ts';
import { getAccompanyerInfo, updateAccompanyer } from '#subjects/services/contract/accompanyer.ts';
import { hoursText } from '#subjects/providers/rules/opening-hours.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { VoicePlayer } from '../../web/parts/companion/voice-player.tsx';
import { Amount } from '#web/ui/price.tsx';
import { HoursDialog } from '#subjects/providers/center/hours-dialog.tsx';
import { PackagesPage } from '../packages-page.tsx';
import { COMPANION, roleOnly } from '../role.ts';
import type { Companion } from './companion-fields.tsx';
import { RecordDialog } from './record-dialog.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '陪玩套餐', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  roleOnly(args, COMPANION);
  const { call: request } = market(args);
  const [info, figures] = await Promise.all([request(getAccompanyerInfo, {}), request(companionFigures, {})]);
  return { ...info, figures };
}

/** The companion's pictures and voice sample, as shown to buyers. */
function Record({ own }: { own: Companion }) {
  return (
    <section className="panel" aria-label="陪玩资料">
      <dl className="grid grid-cols-[5em_minmax(0,1fr)] gap-y-2 px-4 py-3.5 text-13">
        <dt className="text-ink-3">语音</dt>
        <dd>{own.voice ? <VoicePlayer voice={own.voice} name={own.name} /> : '还没有语音，买家更愿意先听声音'}</dd>
        <dt className="text-ink-3">接单时段</dt>
        <dd>{hoursText(own.hours) || '全天'}</dd>
        <dt className="text-ink-3">试玩</dt>
        <dd>{own.trialMinutes > 0 ? `新客第一单前 ${own.trialMinutes} 分钟` : '不提供'}</dd>
        <dt className="text-ink-3">标签</dt>
        <dd>{own.tags.join('、') || '无'}</dd>
      </dl>
    </section>
  );
}

/** Figures counted by the platform: returning buyers, punctuality, and the income of each week. */
function Weeks({ figures }: { figures: Data<typeof companionFigures> }) {
  const percent = (share: number | null) => (share === null ? '暂无' : `${share}%`);
  const totals: [string, string][] = [
    ['浏览', String(figures.views)],
    ['订单', String(figures.orders)],
    ['准时到场', percent(figures.onTimeRate)],
    ['回头客', percent(figures.repeatRate)],
    ['评分', figures.score === null ? '暂无' : figures.score.toFixed(1)],
  ];
  return (
    <section className="panel" aria-label="数据">
      <div className="panel-head">
        <h2>数据</h2>
        <p>平台统计，近 8 周</p>
      </div>
      <dl className="flex flex-wrap gap-x-8 gap-y-2 px-4 py-3">
        {totals.map(([label, value]) => (
          <div key={label}>
            <dt className="text-12 text-ink-3">{label}</dt>
            <dd className="text-16 font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <table className="w-full border-t border-line-soft text-13">
        <thead className="text-12 text-ink-3">
          <tr>
            {['周', '陪玩', '小时', '收入', '打赏'].map((label, index) => (
              <th
                key={label}
                scope="col"
                className={cx('px-4 py-2 font-normal', index === 0 ? 'text-left' : 'text-right')}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {figures.weeks.map((week) => (
            <tr key={week.from} className="border-t border-line-soft">
              <th scope="row" className="px-4 py-1.5 text-left font-normal">
                {week.from.slice(5, 10)} 起
              </th>
              <td className="px-4 py-1.5 text-right">{week.orders}</td>
              <td className="px-4 py-1.5 text-right">{week.hours}</td>
              <td className="px-4 py-1.5 text-right">
                <Amount yuan={week.income} />
              </td>
              <td className="px-4 py-1.5 text-right">
                <Amount yuan={week.tips} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The viewer's packages of companion play, record and hours. */
export default function CompanionPackages() {
  const { accompanyer: own, serviceGames, figures: counted } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [open, setOpen] = useState<'hours' | 'record' | null>(null);
  if (!own) return null;
  const close = () => setOpen(null);
  const done = () => {
    close();
    void revalidate();
  };
  const figures: [string, string][] = [
    ['状态', own.openOrders > 0 ? '有单进行中' : '空闲'],
    ['已完成', String(own.doneNum)],
    ['未到场', String(own.noShows)],
    ['好评率', own.goodRate === null ? '暂无' : `${own.goodRate}%`],
  ];
  return (
    <PackagesPage
      role={COMPANION}
      own={own}
      games={serviceGames}
      update={updateAccompanyer}
      figures={figures}
      hint="写清怎么玩、每小时多少钱，通过审核后出现在「陪玩」列表。"
      tools={
        <>
          <Button size="sm" onClick={() => setOpen('record')}>
            修改资料
          </Button>
          <Button size="sm" onClick={() => setOpen('hours')}>
            接单时段
          </Button>
        </>
      }
    >
      <Record own={own} />
      <Weeks figures={counted} />
      {open === 'hours' && (
        <HoursDialog
          title="接单时段"
          hours={own.hours}
          note="接单时段以外买家不能下单，已下的订单不受影响。"
          send={(hours, options) => call(updateAccompanyer, { hours }, options)}
          onClose={close}
          onDone={done}
        />
      )}
      {open === 'record' && <RecordDialog own={own} games={serviceGames} onClose={close} onDone={done} />}
    </PackagesPage>
  );
}
