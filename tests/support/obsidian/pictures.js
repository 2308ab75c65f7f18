// What can be seen of a block's pictures once they are on the page.
window.pictures = {
  /** -> [{tag, width, height, shown: [w, h], bytes, colours}]; colours counts different pixels, 1 is a blank one. */
  async of(root) {
    await nextFrame();
    return Promise.all([...root.querySelectorAll("img, canvas:not([id$=rubberband])")].map(look));
  },
};

/** matplotlib draws in the next frame. (Its second canvas, for the frame of a selection, is always empty.) */
async function nextFrame() {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
}

async function look(picture) {
  if (picture.decode) await picture.decode().catch(() => {}); // one that cannot be decoded has no pixels: see below
  const { width, height } = "naturalWidth" in picture ? { width: picture.naturalWidth, height: picture.naturalHeight } : picture;
  const box = picture.getBoundingClientRect();
  const facts = { tag: picture.localName, width, height, shown: [box.width, box.height], bytes: picture.src?.length ?? 0 };
  return { ...facts, colours: width && height ? colours(picture, width, height) : 0 };
}

function colours(picture, width, height) {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  context.drawImage(picture, 0, 0);
  return new Set(new Uint32Array(context.getImageData(0, 0, width, height).data.buffer)).size;
}
