import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { boosterApply, getBoosterInfo } from '#subjects/services/contract/booster.ts';
import { AuthStatus } from '#contract/rules/statuses.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ApplyForm } from '#subjects/quick-coin/web/parts/coin/apply-form.tsx';
import { JoinPage } from '../join-page.tsx';
import { BOOSTER } from '../role.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '申请代练', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, user } = market(args);
  return { ...(await request(getBoosterInfo, {})), isVerified: user?.authStatus === AuthStatus.Verified };
}

/** Application to be a booster, or the state of the one submitted. */
export default function JoinBoosting() {
  const { booster, serviceGames, isVerified } = useLoaderData<typeof loader>();
  return (
    <JoinPage
      role={BOOSTER}
      own={booster}
      isVerified={isVerified}
      lead="买家的钱由平台托管，每确认一段，这一段的款项就到您的余额"
      form={
        <ApplyForm
          former={booster}
          games={serviceGames}
          labels={{ name: '打手名称', games: '擅长的游戏', intro: '段位、擅长位置、在线时间；不要留联系方式。' }}
          foot="缴足保证金并通过审核后可发布套餐，保证金可申请退还。"
          send={(form, options) => call(boosterApply, form, options)}
        />
      }
    />
  );
}
