import { memo } from 'react';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { hydratedLater, LateBoundary, Nothing } from '#web/lib/loading/hydrated-later.tsx';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { serverOnlyDataOf, ServedPart } from '#web/lib/loading/served-part.tsx';
import type { DetailData } from './loader.ts';

/** Below the fold, and available in full on the seller's page: its script loads after the others. */
const Reviews = lazyWithRetry(() => import('./reviews.tsx'), <section className="panel min-h-48" aria-hidden="true" />);
/** Proof and re-inspection: outside the first view. */
const InspectionMore = lazyWithRetry(() => import('#subjects/inspections/web/parts/inspection-more.tsx'), null);
const sections = () => import('./sections.tsx');
const aside = () => import('./aside.tsx');
/** Static content: scripts are loaded only when the browser renders the page itself. */
const Inspection = hydratedLater(sections, 'Inspection');
const Sections = hydratedLater(sections, 'Sections');
const SellerCard = hydratedLater(aside, 'SellerCard');
const Compared = hydratedLater(aside, 'Compared');
/** Adverts may show a confirmation before the link opens. */
const AdvertStrip = hydratedLater(() => import('#web/parts/adverts/advert-strip.tsx'), 'AdvertStrip', Nothing);
const Questions = hydratedLater(() => import('./ask/questions.tsx'));

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
          <LateBoundary>
            <Questions questions={questions} goods={goods} />
          </LateBoundary>
        )}
        {reviews && <Reviews reviews={reviews} />}
      </div>
      <aside className="detail-rows">
        <ServedPart of={data} name={`seller ${goods.goodsSn}`}>
          {all && <SellerCard goods={all} more={more} />}
        </ServedPart>
        {adverts.length > 0 && (
          <div className="panel px-4 pt-3 pb-1">
            <LateBoundary>
              <AdvertStrip adverts={adverts} />
            </LateBoundary>
          </div>
        )}
        <ServedPart of={data} name={`compared ${goods.goodsSn}`}>
          {all && <Compared goods={all} more={more} gameList={gameList} />}
        </ServedPart>
      </aside>
    </div>
  );
});
