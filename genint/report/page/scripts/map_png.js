// A picture of pixels from the file of a map: the browser draws the SVG, nothing is fetched.

const MOST_SIDE_PX = 8000; // beyond, some browsers give an empty picture

/** The PNG of an SVG as a blob, with so many pixels for each of its units. */
export async function pngOf(svg, scale) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const factor = Math.min(scale, MOST_SIDE_PX / width, MOST_SIDE_PX / height);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * factor), Math.round(height * factor)];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("the browser made no picture");
  return blob;
}
