import { wechatPageConfig } from '#subjects/notices/contract/wechat-push.ts';
import { call } from '../api/api.ts';

interface Card {
  title: string;
  desc: string;
  link: string;
  imgUrl: string;
}

/** The part of WeChat's JS-SDK that is used. */
interface Sdk {
  config(options: Record<string, unknown>): void;
  ready(done: () => void): void;
  updateAppMessageShareData(card: Card): void;
  updateTimelineShareData(card: Omit<Card, 'desc'>): void;
}

const SDK = 'https://res.wx.qq.com/open/js/jweixin-1.6.0.js';
const APIS = ['updateAppMessageShareData', 'updateTimelineShareData'];

const sdkNow = (): Sdk | undefined => (window as { wx?: Sdk }).wx;

/** Loads the SDK once; undefined when it cannot be loaded. */
let loading: Promise<Sdk | undefined> | null = null;
function sdk(): Promise<Sdk | undefined> {
  loading ??= new Promise((resolve) => {
    const script = document.createElement('script');
    script.src = SDK;
    script.onload = () => resolve(sdkNow());
    script.onerror = () => resolve(undefined);
    document.head.append(script);
  });
  return loading;
}

/** The address that WeChat checks: on iPhones the URL at which the document was loaded, elsewhere the current one. */
function signedUrl(): string {
  const entered = performance.getEntriesByType('navigation')[0]?.name;
  const url = /iPhone|iPad/.test(navigator.userAgent) && entered ? entered : window.location.href;
  return url.split('#')[0] ?? '';
}

const content = (selector: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[${selector}]`)?.content;

/**
 * The card of the current page, from its metadata for search engines: title, description, URL and picture. A page that
 * search engines may not read has its title, its current URL, and the site's logo.
 */
function pageCard(): Card {
  const { href, origin } = window.location;
  return {
    title: content('property="og:title"') ?? document.title,
    desc: content('name="description"') ?? '',
    link: content('property="og:url"') ?? href,
    imgUrl: content('property="og:image"') ?? `${origin}/art/app/180.png`,
  };
}

/**
 * Gives the page its own card in WeChat's share menu; outside WeChat's client it would not be read. If the site has no official
 * account, WeChat shows its plain link.
 */
export async function sharePage(): Promise<void> {
  const card = pageCard();
  try {
    const config = await call(wechatPageConfig, { url: signedUrl() }, { quiet: true });
    const wx = config && (await sdk());
    if (!wx) return;
    wx.config({ ...config, debug: false, jsApiList: APIS });
    wx.ready(() => {
      wx.updateAppMessageShareData(card);
      wx.updateTimelineShareData({ title: card.title, link: card.link, imgUrl: card.imgUrl });
    });
  } catch {
    // Without the card a plain link is shared.
  }
}
