import { IMAGE_TYPES } from '#contract/rules/limits.ts';

/**
 * The properties of a file input for pictures. WeChat on some phones opens no gallery for a list of types, but does so for all pictures, so the list
 * is replaced when the chooser opens there; the page and the server check what was chosen. Elsewhere the list stays: by it iOS converts HEIC to JPEG.
 */
export const pictureInput = {
  accept: IMAGE_TYPES.join(','),
  onClick({ currentTarget }: { currentTarget: { accept: string } }): void {
    if (/MicroMessenger/.test(navigator.userAgent) && /Android/.test(navigator.userAgent))
      currentTarget.accept = 'image/*';
  },
};
