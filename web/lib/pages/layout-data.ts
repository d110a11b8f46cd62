import type { LoaderFunctionArgs } from 'react-router';
import { gameList } from '#subjects/games/contract/games.ts';
import { pendingConsents } from '#subjects/accounts/contract/consent.ts';
import type { homeConf } from '#subjects/distributors/contract/dist.ts';
import type { Data } from '#contract/endpoint.ts';
import { noticeUnread } from '#subjects/notices/contract/notice.ts';
import { HOT_SEARCHES } from '#contract/rules/limits.ts';
import { market, optional } from './context.ts';
import { greeting } from '../format/format.ts';
import { defaultFooterLinks, floatItems, mainNav, stripLinks, stripMenus } from './nav.ts';
import { loginPath } from './paths.ts';
import { withServerOnlyData } from '../loading/served-part.tsx';

/** The part of a distributor's configuration that the footer shows. */
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

/** The variant of the top strip whose links are in menus. */
const STRIP_OF_MENUS = 2;
const INDEX_LAYOUTS = 7;

/** A QR code of this site for phones; the server renders it for the requested host. */
const APP_QR = '/art/qr/app.svg';
/** A code and its purpose: a brand's own leads to its app, the default one opens this site, which can be added to the home screen. */
const appOf = (qrCode: string): [code: string, text: string] =>
  qrCode
    ? [qrCode, '手机扫码下载']
    : [APP_QR, '手机扫码打开本站，添加到主屏幕\n苹果：分享 → 添加到主屏幕\n安卓：菜单 → 安装或添加到桌面'];

/**
 * The arrangement of the home page, 1 to 7, as configured by the distributor. In the demo market the URL may select
 * another one (`?layout=5`), so that all of them can be viewed.
 */
export function indexLayout(args: LoaderFunctionArgs): number {
  const { brand, demo } = market(args);
  const requested = demo ? args.url.searchParams.get('layout') : null;
  const layout = requested !== null && /^[1-7]$/.test(requested) ? Number(requested) : brand.theme.layout;
  return layout >= 1 && layout <= INDEX_LAYOUTS ? layout : 1;
}

export type LayoutData = Awaited<ReturnType<typeof layoutData>>;

/** Everything that the top strip, header, footer, floating menu and the phone's bars show. */
export async function layoutData(args: LoaderFunctionArgs) {
  const { brand, user, call, isDocument } = market(args);
  const [recommended, notices, consents] = await Promise.all([
    optional(call(gameList, { rec: 1 })),
    user && optional(call(noticeUnread, {})),
    user && optional(call(pendingConsents, {})),
  ]);
  const { distBaseConf, pictArea, customerBlock, theme } = brand;
  return {
    user: user && { nickName: user.nickName, unread: user.unread, notices: notices?.total ?? 0 },
    /** Agreements whose new version requires the user's consent. */
    consents: consents?.list ?? [],
    greeting: greeting(new Date()),
    welcome: distBaseConf.hdrBarWelceWord,
    topBar: theme.topBar,
    links: theme.topBar === STRIP_OF_MENUS ? [] : stripLinks(user),
    menus: theme.topBar === STRIP_OF_MENUS ? stripMenus(user) : [],
    app: appOf(pictArea.qrCode),
    login: loginPath(args.url),
    name: distBaseConf.websiteName,
    logo: pictArea.logo,
    hot: (recommended?.list ?? []).slice(0, HOT_SEARCHES).map(({ id, name }) => ({ id, name })),
    nav: mainNav,
    // A visitor's history is stored in the browser and shown on a separate page.
    floats: user
      ? floatItems
      : floatItems.map((item) => (item.icon === 'history' ? { ...item, to: '/wares/viewed' } : item)),
    serviceNum: customerBlock.serviceNum,
    footer: withServerOnlyData({}, footerOf(brand), isDocument),
  };
}
