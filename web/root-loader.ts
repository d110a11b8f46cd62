import type { LoaderFunctionArgs } from 'react-router';
import { statisticsFor } from '#subjects/distributors/rules/statistics.ts';
import { marketContext } from '#web/lib/pages/context.ts';
import { readCookie } from '#web/lib/session/cookies.ts';
import { readTheme } from '#web/lib/browser/theme.ts';

/** The data that every page of a site has: its name, theme and host (used by web/lib/pages/site.ts). */
export function loader({ context, request, url }: LoaderFunctionArgs) {
  const { brand, isBackstage, previewUntil, services, trial, user } = context.get(marketContext);
  const isFramed = url.searchParams.has('embed');
  const { distBaseConf, pictArea, theme } = brand;
  return {
    name: isBackstage ? `${distBaseConf.websiteName} 后台` : distBaseConf.websiteName,
    desc: distBaseConf.websiteDesc,
    keywords: distBaseConf.webKeyWordStr,
    icon: pictArea.webIcon,
    hue: theme.hue,
    chroma: theme.chroma,
    theme: readTheme(
      previewUntil === undefined
        ? readCookie(request.headers.get('cookie') ?? '', 'theme')
        : url.searchParams.get('theme'),
    ),
    /** It is a preview picture in the back office: nothing in it runs. */
    isFramed: previewUntil !== undefined && isFramed,
    /** The page shows a brand's working copy to its editor, with a notice. */
    isPreview: previewUntil !== undefined && !isFramed,
    /** The message of a site that takes no orders. */
    suspendNotice: isBackstage ? null : (brand.suspendNotice ?? null),
    origin: url.origin,
    isBackstage,
    /** The text of the bar on every page of a trial market, which leads staff to the codes; null elsewhere. */
    trial: trial ? `试运行：钱、短信、实名都是模拟的，开张前清空数据${isBackstage ? ' · 查看验证码与通知' : ''}` : null,
    services,
    statistics: isBackstage ? null : statisticsFor(distBaseConf.statTrafScript, user !== null),
  };
}
