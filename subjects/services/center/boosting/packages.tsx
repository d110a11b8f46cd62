import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { getBoosterInfo, updateBooster } from '#subjects/services/contract/booster.ts';
import { boosterStatistics } from '#subjects/services/contract/boosting.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { PackagesPage } from '../packages-page.tsx';
import { BOOSTER, roleOnly } from '../role.ts';
import { Weeks } from './weeks.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '代练套餐', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  roleOnly(args, BOOSTER);
  const { call } = market(args);
  const [info, statistics] = await Promise.all([call(getBoosterInfo, {}), call(boosterStatistics, {})]);
  return { ...info, statistics };
}

/** The viewer's packages of boosting. */
export default function BoosterPackages() {
  const { booster, serviceGames, statistics } = useLoaderData<typeof loader>();
  if (!booster) return null;
  const figures: [string, string][] = [
    ['进行中', `${booster.openOrders} / ${booster.maxOpenOrders}`],
    ['已完成', String(booster.doneNum)],
    ['准时率', booster.onTimeRate === null ? '暂无' : `${booster.onTimeRate}%`],
    ['好评率', booster.goodRate === null ? '暂无' : `${booster.goodRate}%`],
  ];
  return (
    <PackagesPage
      role={BOOSTER}
      own={booster}
      games={serviceGames}
      update={updateBooster}
      figures={figures}
      hint="写清从哪到哪、多久完成、分几段付款，通过审核后出现在「代练」列表。"
      tools={
        <ButtonLink size="sm" to="/center/boosting/board">
          接单大厅
        </ButtonLink>
      }
    >
      <Weeks statistics={statistics} />
    </PackagesPage>
  );
}
