import { type ComponentProps, type ComponentType, lazy, memo } from 'react';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { LazyPart, lazyWithMarkup } from '#web/lib/lazy-part.tsx';
import { lazyWithRetry } from '#web/lib/lazy.tsx';
import { serverOnlyDataOf, ServedPart } from '#web/lib/served-part.tsx';
import { ErrorState } from '#web/ui/states.tsx';
import type * as asideParts from './aside.tsx';
import type { DetailData } from './loader.ts';
import type * as sections from './sections.tsx';

/** Below the fold, and available in full on the seller's page: its script loads after the others. */
const Reviews = lazyWithRetry(() => import('./reviews.tsx'), <section className="panel min-h-48" aria-hidden="true" />);
/** Proof and re-inspection: outside the first view. */
const InspectionMore = lazyWithRetry(() => import('./inspection-more.tsx'), null);
type SectionsModule = typeof sections;
type AsideModule = typeof asideParts;
const section = <N extends 'Inspection' | 'Sections'>(name: N) =>
  lazyWithMarkup<ComponentProps<SectionsModule[N]>>(() =>
    import('./sections.tsx').then((module) => ({
      default: module[name] as ComponentType<ComponentProps<SectionsModule[N]>>,
    })),
  );
const aside = <N extends 'SellerCard' | 'Compared'>(name: N) =>
  lazyWithMarkup<ComponentProps<AsideModule[N]>>(() =>
    import('./aside.tsx').then((module) => ({
      default: module[name] as ComponentType<ComponentProps<AsideModule[N]>>,
    })),
  );
/** Static content: scripts are loaded only when the browser renders the page itself. */
const { Inspection, Sections } = import.meta.env.SSR
  ? await import('./sections.tsx')
  : { Inspection: section('Inspection'), Sections: section('Sections') };
const { SellerCard, Compared } = import.meta.env.SSR
  ? await import('./aside.tsx')
  : { SellerCard: aside('SellerCard'), Compared: aside('Compared') };
/** Adverts may show a confirmation before the link opens. */
const { AdvertStrip } = import.meta.env.SSR
  ? await import('#web/parts/advert-strip.tsx')
  : {
      AdvertStrip: lazy(() =>
        import('#web/parts/advert-strip.tsx').then(
          (module) => ({ default: module.AdvertStrip }),
          () => ({ default: () => null }),
        ),
      ),
    };
/** Rendered on the server, which renders without waiting, so it can be read immediately; in the browser its script loads after the others. */
const Questions = import.meta.env.SSR
  ? (await import('./ask/questions.tsx')).default
  : lazy(() =>
      import('./ask/questions.tsx').catch(() => ({
        default: () => <ErrorState message="问答没有加载出来，请刷新页面" />,
      })),
    );

/**
 * The content below the picture and the price. Clicks above do not re-render it: a part keeps its server markup until
 * its script has loaded.
 */
export const Below = memo(function Below({ data }: { data: DetailData }) {
  const { goods, questions, reviews, adverts, gameList } = data;
  const more = serverOnlyDataOf(data);
  const all = more && { ...goods, ...more.goods };
  const counts = { questions: questions?.answered ?? 0, reviews: reviews?.counts.all ?? null };
  return (
    <div className="detail-columns">
      <div className="detail-rows">
        <section className="panel" id="inspection">
          <ServedPart of={data} name={`inspection ${goods.goodsSn}`} className="overflow-hidden last:rounded-b-card">
            {all && <Inspection goods={all} counts={counts} />}
          </ServedPart>
          {accountTypes.includes(goods.goodsTypeId) && (goods.isMine || goods.hasInspection) && (
            <InspectionMore goodsSn={goods.goodsSn} />
          )}
        </section>
        <ServedPart of={data} name={`sections ${goods.goodsSn}`}>
          {all && <Sections goods={all} isService={Boolean(data.service)} />}
        </ServedPart>
        {questions && (
          <LazyPart>
            <Questions questions={questions} goods={goods} />
          </LazyPart>
        )}
        {reviews && <Reviews reviews={reviews} />}
      </div>
      <aside className="detail-rows">
        <ServedPart of={data} name={`seller ${goods.goodsSn}`}>
          {all && <SellerCard goods={all} more={more} />}
        </ServedPart>
        {adverts.length > 0 && (
          <div className="panel px-4 pt-3 pb-1">
            <LazyPart>
              <AdvertStrip adverts={adverts} />
            </LazyPart>
          </div>
        )}
        <ServedPart of={data} name={`compared ${goods.goodsSn}`}>
          {all && <Compared goods={all} more={more} gameList={gameList} />}
        </ServedPart>
      </aside>
    </div>
  );
});
