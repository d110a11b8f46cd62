import * as c from '#subjects/distributors/contract/staff-brands.ts';
import type { Binding } from '#server/binding.ts';
import { decideTerms, setTerms, termsDraft } from './brand-terms.ts';
import * as brands from './brands.ts';

/** Brands, their versions and hosts, and the rates of each. */
export function bindBrandsStaff({ server }: Binding): void {
  server.serve(c.staffBrandList, brands.listBrands);
  server.serve(c.staffBrandInfo, brands.brandInfo);
  server.serve(c.staffBrandVersion, brands.brandVersion);
  server.serve(c.staffCreateBrand, brands.create);
  server.serve(c.saveBrand, brands.save);
  server.serve(c.publishBrand, brands.publish);
  server.serve(c.unplanBrand, async (call, input) => {
    await brands.unplan(call, input);
    return {};
  });
  server.serve(c.suspendBrand, async (call, input) => {
    await brands.suspend(call, input);
    return {};
  });
  server.serve(c.previewBrand, brands.preview);
  server.serve(c.dropBrandDraft, async (call, input) => {
    await brands.dropDraft(call, input);
    return {};
  });
  server.serve(c.addBrandHost, brands.hostAdd);
  server.serve(c.changeBrandHost, async (call, input) => {
    await brands.hostChange(call, input);
    return {};
  });
  server.serve(c.setBrandTerms, setTerms);
  server.serve(c.brandTermsDraft, termsDraft);
  server.serve(c.decideBrandTerms, decideTerms);
}
