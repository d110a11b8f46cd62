import type { LoaderFunctionArgs } from 'react-router';
import { statisticsOf } from '#contract/rules/statistics.ts';
import { marketContext } from '#web/lib/context.ts';
import { readCookie } from '#web/lib/cookies.ts';
import { readTheme } from '#web/lib/theme.ts';

/** The data that every page of a site has: its name, theme and host (used by web/lib/site.ts). */
export function loader({ context, request, url }: LoaderFunctionArgs) {
  const { brand, isBackstage } = context.get(marketContext);
  const { distBaseConf, pictArea, theme } = brand;
  return {
    name: isBackstage ? `${distBaseConf.websiteName} 后台` : distBaseConf.websiteName,
    desc: distBaseConf.websiteDesc,
    keywords: distBaseConf.webKeyWordStr,
    icon: pictArea.webIcon,
    hue: theme.hue,
    chroma: theme.chroma,
    theme: readTheme(readCookie(request.headers.get('cookie') ?? '', 'theme')),
    origin: url.origin,
    isBackstage,
    statistics: isBackstage ? null : statisticsOf(distBaseConf.statTrafScript),
  };
}
