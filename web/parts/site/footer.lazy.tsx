import { ArrowLeftRight, Clock, ScanLine, ShieldCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import type { homeConf } from '#subjects/distributors/contract/dist.ts';
import { FOOTER_IMAGES_MAX } from '#contract/rules/limits.ts';
import { jumpPath } from '#web/lib/pages/external-link.ts';
import { cx } from '#web/ui/class-names.ts';

/** The part of a distributor's configuration that the footer shows. */
export type FooterConf = Pick<Data<typeof homeConf>, 'botQuals' | 'bottomVerInfo' | 'notifBits'> & {
  links: readonly { title: string; url: string }[];
  isTechSupport: boolean;
};

const PROMISES = [
  [ShieldCheck, '平台托管', '货款进托管账户，验收后放款'],
  [ScanLine, '专人验号', '验号人与时间可查，可复核'],
  [ArrowLeftRight, '逐步换绑', '每一步有时限和凭证'],
  [Clock, '包赔到期有结果', '到期赔付，或 48 小时内裁定'],
] as const;

/** Content that wide screens show in the floating menu and the strip; on phones it is also here. */
const HELP = [
  ['联系客服', '/customerService?open=1'],
  ['客服验真', '/kfyz'],
  ['黑号查询', '/black'],
] as const;

/**
 * A link of the footer: another site opens in a new tab, through the warning page. `target` is the distributor's
 * setting.
 */
function link(url: string, target?: string) {
  const isOutside = /^https?:/.test(url);
  const opens = target === '_self' || target === '_blank' ? target : isOutside ? '_blank' : undefined;
  return { href: jumpPath(url), ...(opens && { target: opens }), ...(isOutside && { rel: 'noopener nofollow' }) };
}

/** The four service promises, one strip above the footer's links. */
function Promises({ isShort }: { isShort: boolean }) {
  return (
    <ul
      className={cx(
        'grid grid-cols-2 gap-x-3 gap-y-4 border-b border-line-soft py-5 md:grid-cols-4 md:gap-4',
        isShort && 'max-md:hidden',
      )}
    >
      {PROMISES.map(([Icon, title, text]) => (
        <li key={title} className="flex items-center gap-3 text-brand-700">
          <Icon className="icon size-5 flex-none" strokeWidth={1.6} aria-hidden="true" />
          <span>
            <b className="block text-13 font-semibold text-ink">{title}</b>
            <span className="text-ink-3">{text}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Licences as text; the two numbers that must be linked by law link to the registers' own sites. */
function Licences({ conf, isShort }: { conf: FooterConf; isShort: boolean }) {
  const { icpNum, busLicense, pubSecCase, copyInfo, copyright } = conf.bottomVerInfo;
  const police = pubSecCase.replace(/\D/g, '');
  return (
    <div className={cx('grid gap-1 pb-5 leading-5', isShort && 'max-md:pt-3 max-md:pb-3')}>
      <p className="flex flex-wrap items-baseline gap-x-4">
        {icpNum && (
          <a href="https://beian.miit.gov.cn/" target="_blank" rel="noopener noreferrer" className="hover:text-link">
            {icpNum}
          </a>
        )}
        {busLicense && <span>{busLicense}</span>}
        {pubSecCase && (
          <a
            href={`https://beian.mps.gov.cn/#/query/webSearch?code=${police}`}
            target="_blank"
            rel="noopener noreferrer"
            className="hover:text-link"
          >
            {pubSecCase}
          </a>
        )}
        <span>未满 18 周岁不提供交易服务</span>
      </p>
      {(copyInfo || copyright) && (
        <p>
          {copyInfo} {copyright}
        </p>
      )}
      {conf.isTechSupport && (
        <p>
          技术支持：<span className="text-ink-2">游市交易系统</span>，商品、托管与赔付由平台提供
        </p>
      )}
    </div>
  );
}

/**
 * At most nine certificates; without any, one line says so (decision 575), and a picture that fails to load empties the
 * list (product.md 2 and 8).
 */
function Certificates({ list, isShort }: { list: FooterConf['botQuals']; isShort: boolean }) {
  const [broken, setBroken] = useState(false);
  const pictures = useRef<HTMLUListElement>(null);
  // A picture that failed before hydration no longer fires an event.
  useEffect(() => {
    const failed = [...(pictures.current?.querySelectorAll('img') ?? [])].some(
      (img) => img.complete && img.naturalWidth === 0 && img.currentSrc !== '',
    );
    if (failed) setBroken(true);
  }, []);
  if (list.length === 0) return <p className="py-1.5 max-md:hidden">资质证书由本站运营者配置后公示，目前待公示</p>;
  const visible = broken ? [] : list.slice(0, FOOTER_IMAGES_MAX);
  return (
    <ul
      ref={pictures}
      className={cx('flex min-h-12 flex-wrap gap-2 py-2', isShort && 'max-md:hidden')}
      aria-label="资质证书"
      data-needs-all=""
    >
      {visible.map(({ url, htUrl, tarAtt }) => (
        <li key={url}>
          <a {...link(htUrl, tarAtt)}>
            <img
              src={url}
              width={96}
              height={32}
              alt="资质证书"
              loading="lazy"
              className="h-8 w-24 rounded-tag object-contain"
              onError={() => setBroken(true)}
            />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Service promises, links, certificates and licences. `isShort`: on phones only the licences, below pages used for work. */
export function Footer({ conf, isShort = false }: { conf: FooterConf; isShort?: boolean }) {
  return (
    <footer className="foot">
      <div className="wrap">
        <Promises isShort={isShort} />
        <nav
          aria-label="页脚"
          className={cx('flex flex-wrap gap-x-5 gap-y-2 pt-4 pb-1.5 text-ink-2', isShort && 'max-md:hidden')}
        >
          {HELP.map(([title, url]) => (
            <a key={title} href={url} className="font-medium text-ink md:hidden">
              {title}
            </a>
          ))}
          {conf.links.map(({ title, url }) => (
            <a key={title} {...link(url)} className="hover:text-link">
              {title}
            </a>
          ))}
        </nav>
        {conf.notifBits.length > 0 && (
          <p className={cx('flex flex-wrap items-baseline gap-x-4 gap-y-1 pb-1.5', isShort && 'max-md:hidden')}>
            <span>友情链接</span>
            {conf.notifBits.map(({ title, url }) => (
              <a key={title} {...link(url)} className="hover:text-link">
                {title}
              </a>
            ))}
          </p>
        )}
        <Certificates list={conf.botQuals} isShort={isShort} />
        <Licences conf={conf} isShort={isShort} />
      </div>
    </footer>
  );
}
