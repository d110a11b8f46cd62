/** The part of a distributor's configuration that names its statistics (product.md 3). Ids alone, never markup. */
export interface StatisticsConf {
  /** 360's proof of ownership. */
  sllSl?: string | undefined;
  /** Baidu's proof of ownership. */
  baiduSl?: string | undefined;
  /** Site number at Baidu's statistics. */
  baiduTj?: string | undefined;
  /** Site number at 51.la. */
  fiveoneTj?: string | undefined;
}

const PROOF = /^[\w-]{6,80}$/;
const BAIDU = /^[0-9a-f]{32}$/;
const LA51 = /^[A-Za-z0-9]{6,40}$/;

export interface Statistics {
  /** Meta elements by which search engines see whose site it is. */
  proofs: { name: string; content: string }[];
  /** The script of each service. */
  scripts: { service: 'baidu' | 'la51'; id: string; src: string }[];
  /** Where the policy must let these scripts send to. */
  hosts: string[];
}

/** What of the configured ids is well formed; anything else is as if it were not there, so that no text of it becomes code. */
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

/** Pages where money, a login or a conversation is at stake: the strictest policy, and nobody else's script. */
const STRICT =
  /^\/(center|chatSystem|login|register|forgetPassword|backstage|fastGold|goods)(\/|\.data|$)|^\/wares\/[^/]+\/(order|pay|success)/;

/** Whether a path is one of these. */
export function isStrictPage(pathname: string): boolean {
  return STRICT.test(pathname);
}
