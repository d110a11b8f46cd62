import QRCode from 'qrcode';
import * as c from '#subjects/distributors/contract/staff-brands.ts';
import { homeConf } from '#subjects/distributors/contract/dist.ts';
import type { Binding } from '#server/binding.ts';
import { decideTerms, setTerms, termsDraft } from './brand-terms.ts';
import { beginPlanned } from './plans.ts';
import * as staff from './staff.ts';

/** The configuration of the distributor, the QR code that leads a phone to the site of the requested host, and brands for staff. */
export function bindDistributors({ ctx, server, http, effects }: Binding): void {
  effects.timer('brand.begin', (_ctx, distId) => beginPlanned(ctx, Number(distId)));
  http.get('/art/qr/app.svg', async (request, reply) => {
    const code = await QRCode.toString(`${request.protocol}://${request.headers.host ?? ''}/h/`, {
      type: 'svg',
      margin: 0,
    });
    return await reply.header('cache-control', 'public, max-age=3600').type('image/svg+xml').send(code);
  });
  server.serve(homeConf, ({ ctx, dist }) => Promise.resolve({ ...dist.conf, adverPosMap: ctx.dir.adverts(dist.id) }));
  server.serve(c.staffBrandList, staff.listBrands);
  server.serve(c.staffBrandInfo, staff.brandInfo);
  server.serve(c.staffBrandVersion, staff.brandVersion);
  server.serve(c.staffCreateBrand, staff.create);
  server.serve(c.saveBrand, staff.save);
  server.serve(c.publishBrand, staff.publish);
  server.serve(c.unplanBrand, async (call, input) => {
    await staff.unplan(call, input);
    return {};
  });
  server.serve(c.suspendBrand, async (call, input) => {
    await staff.suspend(call, input);
    return {};
  });
  server.serve(c.previewBrand, staff.preview);
  server.serve(c.dropBrandDraft, async (call, input) => {
    await staff.dropDraft(call, input);
    return {};
  });
  server.serve(c.addBrandHost, staff.hostAdd);
  server.serve(c.changeBrandHost, async (call, input) => {
    await staff.hostChange(call, input);
    return {};
  });
  server.serve(c.setBrandTerms, setTerms);
  server.serve(c.brandTermsDraft, termsDraft);
  server.serve(c.decideBrandTerms, decideTerms);
}
