/** The part of a distributor's configuration that names its web analytics (product.md 3). Ids only, never markup. */
export interface StatisticsConf {
  /** 360's ownership verification. */
  sllSl?: string | undefined;
  /** Baidu's ownership verification. */
  baiduSl?: string | undefined;
  /** Site id at Baidu's analytics. */
  baiduTj?: string | undefined;
  /** Site id at 51.la. */
  fiveoneTj?: string | undefined;
}

const PROOF = /^[\w-]{6,80}$/;
const BAIDU = /^[0-9a-f]{32}$/;
const LA51 = /^[A-Za-z0-9]{6,40}$/;

export interface Statistics {
  /** Meta elements with which search engines verify the site's owner. */
  proofs: { name: string; content: string }[];
  /** The script of each service. */
  scripts: { service: 'baidu' | 'la51'; id: string; src: string }[];
  /** Hosts that the content security policy must allow for these scripts. */
  hosts: string[];
}

/** Returns the valid ids of a configuration; malformed ones are ignored, so that no configured text becomes code. */
export function statisticsOf(conf: StatisticsConf): Statistics {
  const proofs = [
    { name: 'baidu-site-verification', content: conf.baiduSl ?? '' },
    { name: '360-site-verification', content: conf.sllSl ?? '' },
  ].filter(({ content }) => PROOF.test(content));
  const { baiduTj = '', fiveoneTj = '' } = conf;
  const scripts: Statistics['scripts'] = [];
  const hosts: string[] = [];
  if (BAIDU.test(baiduTj)) {
    scripts.push({ service: 'baidu', id: baiduTj, src: `https://hm.baidu.com/hm.js?${baiduTj}` });
    hosts.push('https://hm.baidu.com');
  }
  if (LA51.test(fiveoneTj)) {
    scripts.push({ service: 'la51', id: fiveoneTj, src: 'https://sdk.51.la/js-sdk-pro.min.js' });
    hosts.push('https://sdk.51.la', 'https://collect-v6.51.la');
  }
  return { proofs, scripts, hosts };
}

/** The same for a page: nothing for logged-in users, because any page may request their password (decision 540). */
export const statisticsFor = (conf: StatisticsConf, isLoggedIn: boolean): Statistics =>
  isLoggedIn ? { proofs: [], scripts: [], hosts: [] } : statisticsOf(conf);

/** Pages with money, a login or a conversation: the strictest policy, and no third-party scripts. */
const STRICT =
  /^\/(center|chatSystem|login|register|forgetPassword|backstage|fastGold|goods)(\/|\.data|$)|^\/wares\/[^/]+\/(order|pay|success)/;

/** Whether a path belongs to these pages. */
export function isStrictPage(pathname: string): boolean {
  return STRICT.test(pathname);
}
