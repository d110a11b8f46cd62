/** A picture of a listing: its original, its thumbnail, and its size in px. */
export interface GalleryPicture {
  url: string;
  thumb: string;
  width: number;
  height: number;
}
