import type { LoaderFunctionArgs } from 'react-router';
import { gameList } from '#contract/common.ts';
import type { homeConf } from '#contract/dist.ts';
import type { Data } from '#contract/endpoint.ts';
import { HOT_SEARCHES } from '#contract/rules/limits.ts';
import { market, optional } from './context.ts';
import { greeting } from './format.ts';
import { defaultFooterLinks, floatItems, mainNav, stripLinks, verifies } from './nav.ts';
import { loginPath } from './paths.ts';
import { pageExists } from './url-map.ts';

/** What the footer shows of a distributor's configuration. */
export function footerOf(brand: Data<typeof homeConf>) {
  const { botQuals, bottomVerInfo, notifBits, treeMenuButMap, distBaseConf } = brand;
  return {
    links: treeMenuButMap.pc1.length > 0 ? treeMenuButMap.pc1 : defaultFooterLinks,
    botQuals,
    bottomVerInfo,
    notifBits,
    isTechSupport: distBaseConf.statTrafScript.isTechSupport === true,
  };
}

export type FrameData = Awaited<ReturnType<typeof frameData>>;

/** Everything that strip, header, footer, floating menu and the phone's bars show. */
export async function frameData(args: LoaderFunctionArgs) {
  const { brand, user, call } = market(args);
  const recommended = await optional(call(gameList, { rec: 1 }));
  const { distBaseConf, pictArea, customerBlock } = brand;
  return {
    user: user && { nickName: user.nickName, unread: user.unread },
    greeting: greeting(new Date()),
    welcome: distBaseConf.hdrBarWelceWord,
    links: stripLinks(user),
    login: loginPath(args.url),
    name: distBaseConf.websiteName,
    logo: pictArea.logo,
    hot: (recommended?.list ?? []).slice(0, HOT_SEARCHES).map(({ id, name }) => ({ id, name })),
    nav: mainNav,
    floats: floatItems,
    verifies,
    sellTo: pageExists('/center/sell') ? '/center/sell' : null,
    serviceNum: customerBlock.serviceNum,
    footer: footerOf(brand),
  };
}
